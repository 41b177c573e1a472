import { Form, useNavigation } from '@remix-run/react'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Asks first (spec 2 §5). */
export function DeactivateDialog({ commandId, closeTo }: { commandId: string; closeTo: string }) {
  const busy = useNavigation().formData?.get('intent') === 'deactivate'
  return (
    <Dialog title="Deactivate account" closeTo={closeTo}>
      <p>Are you sure you want to deactivate your account?</p>
      {/* A whole new page: nothing of this one outlives the session. */}
      <Form method="post" action={closeTo} reloadDocument className="stack stack-s">
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
