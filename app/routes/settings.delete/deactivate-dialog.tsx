import { useNavigation } from '@remix-run/react'
import type { FormState } from '../../forms/reply.ts'
import { markLeaving } from '../../shell/leaving.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Confirm } from '../../ui/overlays/confirm.tsx'

type DeactivateProps = { form: FormState; commandId: string; closeTo: string }

/** Asks first (spec 2 §5). */
export function DeactivateDialog({ form, commandId, closeTo }: DeactivateProps) {
  const failed = form.error('')
  const busy = useNavigation().formData?.get('intent') === 'deactivate'
  return (
    <Confirm
      title="Deactivate account"
      closeTo={closeTo}
      action={`${closeTo}?confirm=deactivate`}
      fields={{ commandId }}
      intent="deactivate"
      verb="Deactivate"
      busy={busy}
      onSubmit={markLeaving}
      preventScrollReset
      replace
    >
      <p>Are you sure you want to deactivate your account?</p>
      {failed ? (
        <Banner tone="alarm" live>
          <p>{failed}</p>
        </Banner>
      ) : null}
    </Confirm>
  )
}
