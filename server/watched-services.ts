import type { CodeVerdict } from '../services/codes.ts'
import type { Services } from '../usecases/ports.ts'
import { holderOf } from '../usecases/register/proof.ts'
import type { Client } from './http/client.ts'
import type { SecurityEvent } from './http/security-events.ts'

/**
 * The services of one request that find out who somebody is: what they find is noted of the connection, and for whoever
 * watches over the site.
 */
export const watchedServices = (services: Services, client: Client) => ({
  proofs: vouching(services.proofs, client),
  sessions: noticing(services.sessions, client),
  loginGuard: watching(services.loginGuard, client),
  challenges: watchingChallenges(services, client),
  codes: watchingCodes(services.codes, client),
})

/** Whoever signs up with a live proof keeps the connection, and is in line as a stranger: a domain has mailboxes without end. */
function vouching(proofs: Services['proofs'], client: Client): Services['proofs'] {
  const find: typeof proofs.find = async (token) => {
    const proof = await proofs.find(token)
    if (proof) client.vouch?.(holderOf(proof))
    return proof
  }
  const issue: typeof proofs.issue = async (address) => {
    const issued = await proofs.issue(address)
    note(client, 'address-proved', address.emailKey)
    return issued
  }
  return { ...proofs, find, issue }
}

function noticing(sessions: Services['sessions'], client: Client): Services['sessions'] {
  const find: typeof sessions.find = async (token) => {
    const session = await sessions.find(token)
    if (!session) client.foundDead?.(token)
    return session
  }
  const reauthenticate: typeof sessions.reauthenticate = async (id) => {
    await sessions.reauthenticate(id)
    note(client, 'reauthenticated', null)
  }
  return { ...sessions, find, reauthenticate }
}

/** Which account somebody signs in to or resets, and from a device that it did not know. */
function watching(guard: Services['loginGuard'], { watched }: Client): Services['loginGuard'] {
  if (!watched) return guard
  let unknown = false
  return {
    ...guard,
    before(who) {
      watched.who = who.emailKey
      return guard.before(who)
    },
    async knows(who) {
      const known = await guard.knows(who)
      unknown = !known
      watched.who = who.emailKey
      return known
    },
    async succeeded(who) {
      const signedIn = await guard.succeeded(who)
      if (unknown) watched.kinds.push('new-device')
      return signedIn
    },
    async clear(emailKey) {
      await guard.clear(emailKey)
      watched.who = emailKey
      watched.kinds.push('password-reset')
    },
  }
}

/** The same where a sign-in waits for its second factor, and whose that is. */
function watchingChallenges({ challenges, credentials }: Services, { watched }: Client): Services['challenges'] {
  if (!watched) return challenges
  return {
    ...challenges,
    async issue(challenge) {
      const token = await challenges.issue(challenge)
      watched.challenged = token !== null
      return token
    },
    async takeTry(token) {
      const waiting = await challenges.takeTry(token)
      const credential = waiting && (await credentials.findByMember(waiting.member))
      if (credential) watched.who = credential.emailKey
      return waiting
    },
  }
}

/** The codes of mails, and whose address they are for. */
function watchingCodes(codes: Services['codes'], client: Client): Services['codes'] {
  const asked = <Issued extends { ok: boolean }>(issued: Issued, emailKey: string) => {
    if (issued.ok) note(client, 'code-asked', emailKey)
    return issued
  }
  const given = (verdict: CodeVerdict, emailKey: string) => {
    if (verdict !== 'ok') note(client, 'code-failed', emailKey)
    return verdict
  }
  const opened = (emailKey: string | null) => {
    if (!emailKey) note(client, 'code-failed', null)
    return emailKey
  }
  return {
    ...codes,
    issue: async (purpose, emailKey) => asked(await codes.issue(purpose, emailKey), emailKey),
    issueDecoy: async (purpose, emailKey) => asked(await codes.issueDecoy(purpose, emailKey), emailKey),
    verify: async (purpose, emailKey, code) => given(await codes.verify(purpose, emailKey, code), emailKey),
    peek: async (purpose, emailKey, code) => given(await codes.peek(purpose, emailKey, code), emailKey),
    peekLink: async (purpose, link) => opened(await codes.peekLink(purpose, link)),
    verifyLink: async (purpose, link) => opened(await codes.verifyLink(purpose, link)),
  }
}

function note({ watched }: Client, kind: SecurityEvent, emailKey: string | null): void {
  if (!watched) return
  watched.who = emailKey ?? watched.who
  watched.kinds.push(kind)
}
