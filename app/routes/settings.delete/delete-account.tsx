import { Form, Link, useNavigation } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type FormReply, type FormState, formOf } from '../../forms/reply.ts'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import { markLeaving } from '../../shell/leaving.ts'
import { Owner } from '../../shell/owner.tsx'
import { SecondFactorInput } from '../../ui/auth/auth-frame.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmPoints } from '../../ui/confirm-points.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { DELETE_WORD, GOOGLE_AGAIN } from './delete-words.ts'

/** `factor`: their second factor is on. `passwordless`: Google's sign-in is all that they have, `recent` if it was just now. */
/** Without script the page that answers a form of deletion shows this first. */
const ASKED = 'deletion'

type AskProps = {
  form: FormState
  deactivated: boolean
  factor: boolean
  passwordless: boolean
  recent: boolean
  /** What is wrong with what was sent. */
  children: ReactNode
}

/** What will happen, in plain words, and the password (spec 2 §4, ruling R26). */
export function DeleteAccount({ form, deactivated, factor, passwordless, recent, children }: AskProps) {
  return (
    <Card title="Permanently Delete" icon="trash-2">
      <p>This deletes your account for ever. There is no way back, not even for us.</p>
      <ConfirmPoints>
        <li>Your profile, photos, recordings, place, settings, buzzes and matches are removed.</li>
        <li>What you wrote can no longer be read. Others keep what they wrote, to a “Deleted member”.</li>
        <li>You are signed out everywhere at once, and your e-mail address is free for a new account.</li>
        <li>Reports that were made by you or about you stay sealed for at most 180 days.</li>
      </ConfirmPoints>
      {deactivated ? null : (
        <p>
          You may want to <Link to="/settings/export">take a copy of your data</Link> first.
        </p>
      )}
      <div className="stack" id={ASKED}>
        {children}
        {passwordless && !recent ? (
          <p>{GOOGLE_AGAIN}</p>
        ) : (
          <AskForm form={form} factor={factor} passwordless={passwordless} />
        )}
      </div>
    </Card>
  )
}

function AskForm({ form, factor, passwordless }: Pick<AskProps, 'form' | 'factor' | 'passwordless'>) {
  const busy = useNavigation().formData?.get('intent') === 'ask-delete'
  return (
    <Form method="post" action={`/settings/delete#${ASKED}`} className="stack" data-drafts="none" noValidate>
      <Owner />
      {passwordless ? (
        <p>You signed in with Google just now, so no password is needed.</p>
      ) : (
        <ProofInputs form={form} factor={factor} />
      )}
      <div>
        <Button name="intent" value="ask-delete" tone="danger" busy={busy}>
          Delete account
        </Button>
      </div>
    </Form>
  )
}

function ProofInputs({ form, factor }: Pick<AskProps, 'form' | 'factor'>) {
  return (
    <>
      <PasswordInput label="Password" {...form.field('password')} />
      {factor ? <SecondFactorInput {...form.field('code')} /> : null}
    </>
  )
}

/** `recent`: they proved just now who they are. */
type DialogProps = { reply: FormReply | undefined; factor: boolean; recent: boolean; closeTo: string }

/** Asks once more (spec 2 §5); who took too long over it gives the password again, beside the word that was typed. */
export function DeleteDialog({ reply, factor, recent, closeTo }: DialogProps) {
  const isOfOther = reply?.form === 'ask-delete' && !reply.unavailable
  const form = formOf({ reply: isOfOther ? undefined : reply, prefix: 'sure-' })
  const isProofAsked = useRef(!recent)
  if (form.error('password') ?? form.error('code')) isProofAsked.current = true
  const failed = form.error('')
  const busy = useNavigation().formData?.get('intent') === 'delete'
  const fields = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each reply
  useEffect(() => {
    fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form.reply])
  return (
    <Dialog title="Delete account" closeTo={closeTo} grave>
      <p>Are you sure? All your data will be permanently deleted. This cannot be undone.</p>
      {failed ? (
        <Banner tone="alarm" live>
          <p>{failed}</p>
        </Banner>
      ) : null}
      <Form
        method="post"
        ref={fields}
        action={`${closeTo}?confirm=delete#${ASKED}`}
        onSubmit={markLeaving}
        preventScrollReset
        replace
        className="stack stack-s"
        data-drafts="none"
        noValidate
      >
        <Owner />
        <TextInput
          label={`Type ${DELETE_WORD} to confirm`}
          {...form.field('typed')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        {isProofAsked.current ? <ProofInputs form={form} factor={factor} /> : null}
        <Button name="intent" value="delete" tone="danger" wide busy={busy}>
          Delete for ever
        </Button>
        <LinkButton to={closeTo} wide preventScrollReset replace>
          Cancel
        </LinkButton>
      </Form>
    </Dialog>
  )
}
