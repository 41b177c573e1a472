import { addMs, hours } from '../shared/dates.ts'
import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import type { MemberId } from '../shared/ids.ts'
import type { EmailCommand } from './commands.ts'
import type { EmailEvent } from './events.ts'

/** An unfinished sign-up reserves its address no longer than its proof lives (api-contract N1). */
export const RESERVATION_MS = hours(2)

/** `released`: this id of the address is over. */
type Email = {
  readonly holder: MemberId | null
  readonly confirmed: boolean
  readonly until: Date | null
  readonly released: boolean
}
export type EmailRefusal = 'taken' | 'not-reserved' | 'confirmed' | 'released'

const unused: Email = { holder: null, confirmed: false, until: null, released: false }

function evolve(_email: Email, event: EmailEvent): Email {
  switch (event.type) {
    case 'EmailReserved':
      return { ...unused, holder: event.member, until: event.until }
    case 'EmailConfirmed':
      return { ...unused, holder: event.member, confirmed: true }
    case 'EmailReleased':
      return { ...unused, released: true }
  }
}

function decide({ type, address, member, at }: EmailCommand, email: Email): Decision<EmailEvent, EmailRefusal> {
  const mine = email.holder === member
  // Also an id that nobody has used: whoever is about to is refused, and takes another.
  const ends = mine || (email.holder === null && !email.released)
  const release = () =>
    ends ? accept<EmailEvent>({ type: 'EmailReleased', address, member, at }) : accept<EmailEvent>()
  switch (type) {
    case 'ReserveEmail': {
      if (mine) return accept()
      if (email.released) return refuse('released')
      const reserved = email.confirmed || (email.until !== null && at < email.until)
      return reserved
        ? refuse('taken')
        : accept({ type: 'EmailReserved', address, member, until: addMs(at, RESERVATION_MS), at })
    }
    case 'ConfirmEmail': {
      if (!mine) return refuse('not-reserved')
      return email.confirmed ? accept() : accept({ type: 'EmailConfirmed', address, member, at })
    }
    case 'CancelReservation':
      if (mine && email.confirmed) return refuse('confirmed')
      return release()
    case 'ReleaseEmail':
      return release()
  }
}

/**
 * One address, one member: reserve, then the member, then confirm. The stream has the address' id (decision 0023), which
 * is released once and then over.
 */
export const emailDecider: Decider<EmailCommand, EmailEvent, Email, EmailRefusal> = {
  category: 'email',
  streamId: (command) => command.address,
  initial: unused,
  evolve,
  decide,
  impersonal: true,
}
