import { useSearchParams } from '@remix-run/react'
import { useShellMember } from '../../shell/use-shell.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'

/** Greets a new member over their first deck, until they start. */
export function Welcome() {
  const [search] = useSearchParams()
  const member = useShellMember()
  if (!search.has('welcome') || !member) return null
  const start = (
    <LinkButton to="/discover" replace>
      Start
    </LinkButton>
  )
  return (
    <Banner tone="honey" live title={`Welcome, ${member.firstName.trim()}.`} action={start}>
      <p>Your profile is ready. Buzz whom you like: if they buzz back, the chat opens.</p>
    </Banner>
  )
}
