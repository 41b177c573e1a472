import { addMs, hours } from '../shared/dates.ts'
import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import type { MemberId } from '../shared/ids.ts'
import type { EmailCommand } from './commands.ts'
import type { EmailEvent } from './events.ts'

/** An unfinished sign-up reserves its address no longer than its proof lives (api-contract N1). */
export const RESERVATION_MS = hours(2)

type Email = { readonly holder: MemberId | null; readonly confirmed: boolean; readonly until: Date | null }
export type EmailRefusal = 'taken' | 'not-reserved' | 'confirmed'

const free: Email = { holder: null, confirmed: false, until: null }

function evolve(_email: Email, event: EmailEvent): Email {
  switch (event.type) {
    case 'EmailReserved':
      return { holder: event.member, confirmed: false, until: event.until }
    case 'EmailConfirmed':
      return { holder: event.member, confirmed: true, until: null }
    case 'EmailReleased':
      return free
  }
}

function decide({ type, emailKey, member, at }: EmailCommand, email: Email): Decision<EmailEvent, EmailRefusal> {
  const mine = email.holder === member
  switch (type) {
    case 'ReserveEmail': {
      if (mine) return accept()
      const reserved = email.confirmed || (email.until !== null && at < email.until)
      return reserved
        ? refuse('taken')
        : accept({ type: 'EmailReserved', emailKey, member, until: addMs(at, RESERVATION_MS), at })
    }
    case 'ConfirmEmail': {
      if (!mine) return refuse('not-reserved')
      return email.confirmed ? accept() : accept({ type: 'EmailConfirmed', emailKey, member, at })
    }
    case 'CancelReservation':
      if (mine && email.confirmed) return refuse('confirmed')
      return mine ? accept({ type: 'EmailReleased', emailKey, member, at }) : accept()
    case 'ReleaseEmail':
      return mine ? accept({ type: 'EmailReleased', emailKey, member, at }) : accept()
  }
}

/** One address, one member: reserve, then the member, then confirm. The key is HMAC(address) (security §3.3). */
export const emailDecider: Decider<EmailCommand, EmailEvent, Email, EmailRefusal> = {
  category: 'email',
  streamId: (command) => command.emailKey,
  initial: free,
  evolve,
  decide,
}
