import { useNavigation } from '@remix-run/react'
import { ConfirmPoints } from '../../ui/confirm-points.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Confirm } from '../../ui/overlays/confirm.tsx'

/** `failed`: why it was refused. */
export function ForgetDialog({ closeTo, failed }: { closeTo: string; failed: string | null }) {
  const busy = useNavigation().formData?.get('intent') === 'forget'
  return (
    <Confirm
      title="Forget your location?"
      closeTo={closeTo}
      action={`${closeTo}?confirm=forget`}
      fields={{}}
      intent="forget"
      verb="Forget it"
      busy={busy}
      preventScrollReset
      replace
    >
      <ConfirmPoints>
        <li>Your position and your square are removed now.</li>
        <li>Cards show no distances, and Discover asks where you are.</li>
        <li>Others meet you without a distance, after everyone who has one.</li>
        <li>You can set one again at once, though only three times in a day.</li>
      </ConfirmPoints>
      {failed ? (
        <Banner tone="alarm" live>
          <p>{failed}</p>
        </Banner>
      ) : null}
    </Confirm>
  )
}
