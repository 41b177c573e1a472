import { Form, useNavigation } from '@remix-run/react'
import type { FormState } from '../../forms/reply.ts'
import { markLeaving } from '../../shell/leaving.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'

type DeactivateProps = { form: FormState; commandId: string; closeTo: string }

/** Asks first (spec 2 §5). */
export function DeactivateDialog({ form, commandId, closeTo }: DeactivateProps) {
  const failed = form.error('')
  const busy = useNavigation().formData?.get('intent') === 'deactivate'
  return (
    <Dialog title="Deactivate account" closeTo={closeTo}>
      <p>Are you sure you want to deactivate your account?</p>
      {failed ? (
        <Banner tone="alarm" live>
          <p>{failed}</p>
        </Banner>
      ) : null}
      <Form
        method="post"
        action={`${closeTo}?confirm=deactivate`}
        onSubmit={markLeaving}
        preventScrollReset
        replace
        className="stack stack-s"
      >
        <input type="hidden" name="commandId" value={commandId} />
        <Button name="intent" value="deactivate" tone="danger" wide busy={busy}>
          Deactivate
        </Button>
        <LinkButton to={closeTo} wide preventScrollReset replace>
          Cancel
        </LinkButton>
      </Form>
    </Dialog>
  )
}
