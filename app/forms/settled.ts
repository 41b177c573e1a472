/** What became of a form that a page's script sent: `failed` was not answered, or refused by no words of its page. */
export type Settled = {
  readonly how: 'done' | 'refused' | 'failed'
  /** Where the form went. */
  readonly path: string
  /** Its fields as they were sent; null for one with files. */
  readonly body: string | null
  /** Why it failed, in words. */
  readonly error?: string | undefined
  /** Where its answer led. */
  readonly to?: string | null | undefined
}

export const SETTLED = 'form:settled'

/** Reports it to whatever keeps what is typed in forms. */
export const settle = (detail: Settled): unknown => window.dispatchEvent(new CustomEvent(SETTLED, { detail }))
