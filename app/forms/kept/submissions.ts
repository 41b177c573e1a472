import type { Settled } from '../settled.ts'

type Sent = {
  readonly form: HTMLFormElement
  readonly by: HTMLElement | null
  readonly path: string
  readonly body: string
}

/** So many forms can be on their way at once. */
const MOST = 20

/** Which form of the page was sent, so that what became of it reaches it. */
export class Submissions {
  private sent: readonly Sent[] = []

  constructor() {
    document.addEventListener('submit', this.note, true)
  }

  stop(): void {
    document.removeEventListener('submit', this.note, true)
  }

  /** The last one that was sent there with these fields; of a form with files, the last one that was sent there. */
  find({ path, body }: Settled): Pick<Sent, 'form' | 'by'> | undefined {
    return this.sent.findLast((one) => one.path === path && (body === null || one.body === body))
  }

  private readonly note = ({ target, submitter }: SubmitEvent): void => {
    if (!(target instanceof HTMLFormElement)) return
    const own = submitter?.getAttribute('formaction')
    const { pathname } = new URL(own ?? target.action, location.href)
    const sent = { form: target, by: submitter, path: pathname, body: bodyOf(target, submitter) }
    this.sent = [...this.sent.slice(1 - MOST), sent]
  }
}

function bodyOf(form: HTMLFormElement, by: HTMLElement | null): string {
  const fields = [...new FormData(form, by)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.name,
  ])
  return String(new URLSearchParams(fields))
}
