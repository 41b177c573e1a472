import { NO_ENTITLEMENTS } from '../../../usecases/acting.ts'
import type { Ports, SignedIn } from '../../../usecases/ports.ts'
import type { Person } from '../world-people.ts'

/** A member on the session of their own token, who signed in just now. */
export async function signedInAs(ports: Ports, person: Person): Promise<SignedIn> {
  const session = (await ports.sessions.find(person.token))!.id
  const authAt = ports.now()
  return { ...ports, who: { member: person.id, session, status: 'active', entitlements: NO_ENTITLEMENTS, authAt } }
}
