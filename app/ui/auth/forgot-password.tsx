import { type Form, Link, useNavigation } from '@remix-run/react'
import { useEffect } from 'react'
import type { Fields } from '../../../usecases/answer.ts'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import { Banner } from '../banner.tsx'
import { Button } from '../button.tsx'
import { CodeInput, LocalMailHint, Said } from './auth-frame.tsx'

/** What the forgot-password action says. */
export type ForgotData = {
  stage: 'request' | 'verify' | 'success'
  email: string
  message?: string
  fields?: Fields
}

const CLOSE_AFTER_MS = 1500

type ForgotProps = {
  data: ForgotData
  /** The page's form, or that of a fetcher inside a dialog. */
  form: typeof Form
  busy?: boolean
  /** The token of the mail's link, which stands for address and code. */
  link?: string | null
  /** Called a moment after the password was reset. */
  onDone: () => void
}

function Request({ data, form: AnyForm, busy }: ForgotProps) {
  return (
    <AnyForm method="post" action="/forgot-password" className="stack" noValidate>
      <ErrorSummary errors={data.fields} />
      <p className="soft">We send a code to your e-mail address.</p>
      <TextInput
        label="E-mail"
        id="forgot-email"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={data.email}
        error={data.fields?.['forgot-email']}
      />
      <Button name="intent" value="request" tone="primary" wide busy={busy === true}>
        Send code
      </Button>
    </AnyForm>
  )
}

function NewPassword({ data, form: AnyForm, busy, link }: ForgotProps) {
  return (
    <AnyForm method="post" action="/forgot-password" className="stack" noValidate>
      <ErrorSummary errors={data.fields} />
      <Said message={data.message} />
      {link ? (
        <input type="hidden" name="link" value={link} />
      ) : (
        <>
          <LocalMailHint />
          <input type="hidden" name="email" value={data.email} />
          <CodeInput error={data.fields?.code} />
        </>
      )}
      <PasswordInput
        label="New password"
        name="newPassword"
        autoComplete="new-password"
        error={data.fields?.newPassword}
      />
      <PasswordInput
        label="Confirm new password"
        name="confirm"
        id="forgot-confirm"
        autoComplete="new-password"
        error={data.fields?.['forgot-confirm']}
      />
      <Button name="intent" value="reset" tone="primary" wide busy={busy === true}>
        Reset password
      </Button>
    </AnyForm>
  )
}

/** Two steps: ask for a code, then choose a new password with it (spec 1 §2 and §4). */
export function ForgotPassword(props: ForgotProps) {
  const { data, onDone } = props
  const navigation = useNavigation()
  const done = data.stage === 'success'
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(onDone, CLOSE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [done, onDone])
  const busy = props.busy ?? navigation.state === 'submitting'
  if (data.stage === 'request') return <Request {...props} busy={busy} />
  if (data.stage === 'verify') return <NewPassword {...props} busy={busy} />
  return (
    <div className="stack">
      <Banner tone="leaf" live>
        <p>{data.message}</p>
      </Banner>
      <p>
        <Link to="/login">Go to login</Link>
      </p>
    </div>
  )
}
