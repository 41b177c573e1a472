import { SETTLED, type Settled } from '../settled.ts'

/** A form that was sent, and its fields as they were then. */
export type EarlySubmit = { readonly event: SubmitEvent; readonly body: string }
/** What was done with forms before the script that keeps them was there. */
type Early = {
  /** Forms in which was typed, each with the address that its page had. */
  typed?: ReadonlyMap<HTMLFormElement, string>
  sent?: readonly EarlySubmit[]
  settled?: readonly Settled[]
}

declare global {
  interface Window {
    early?: Early
  }
}

/**
 * Inline, before any other script: notes what is done with forms until the script that keeps them takes it, since a sheet may
 * be closed by then, a page left, and a form sent. Without the characters that React escapes in a text.
 */
export const NOTE_EARLY =
  'early={typed:new Map,sent:[],settled:[]};' +
  'addEventListener(`input`,function(e){var f=e.target.form;if(f)early.typed?.set(f,location.href)},true);' +
  'addEventListener(`submit`,function(e){early.sent?.push' +
  '({event:e,body:String(new URLSearchParams(new FormData(e.target,e.submitter)))})},true);' +
  `addEventListener(\`${SETTLED}\`,function(e){early.settled?.push(e.detail)})`

/** What was noted so far; from then on none of its kind is. */
export function takeEarly<Kind extends keyof Early>(kind: Kind): Early[Kind] | undefined {
  const noted = window.early?.[kind]
  if (window.early) delete window.early[kind]
  return noted
}
