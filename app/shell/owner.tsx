import { useShellMember } from './use-shell.ts'

/** Whose form it is: what is left of it when its session is over is shown to nobody else (decision 0041). */
export function Owner() {
  const member = useShellMember()
  return member ? <input type="hidden" name="as" value={member.id} /> : null
}
