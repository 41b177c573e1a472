import { useShellMember } from './use-shell.ts'

/** The field that names whose a form is, for what script sends without a form. */
export function useOwner(): { as?: string } {
  const member = useShellMember()
  return member ? { as: member.id } : {}
}

/**
 * Whose form it is, in each form of a member's page: nobody else who is signed in by then sends it, what is left of it when
 * its session is over is shown to nobody else, nor is its draft (decision 0041).
 *
 * A browser gives a page that it comes back to what was typed there, by where its form leads and what its first fields are
 * called: the first one is called after the member, so that it gives nothing to another one.
 */
export function Owner() {
  const { as } = useOwner()
  return as ? (
    <>
      <input type="hidden" name={`as-${as}`} disabled />
      <input type="hidden" name="as" value={as} />
    </>
  ) : null
}
