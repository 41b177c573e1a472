import { takeEarly } from './early.ts'
import type { Ended } from './on-settled.ts'

type Sent = {
  readonly form: HTMLFormElement
  readonly by: HTMLElement | null
  readonly path: string
  readonly body: string
}

/** So many forms can be on their way at once. */
const MOST = 20
const COMMAND = 'commandId'

/** Which form of the page was sent, so that what became of it reaches it. */
export class Submissions {
  private sent: readonly Sent[] = []
  private readonly failed = new WeakMap<HTMLFormElement, Sent>()

  constructor() {
    for (const { event, body } of takeEarly('sent') ?? []) this.note(event, body)
    document.addEventListener('submit', this.listener, true)
  }

  stop(): void {
    document.removeEventListener('submit', this.listener, true)
  }

  /** The last one that was sent there with these fields; of a form with files, the last one that was sent there. */
  settled({ path, body, how }: Ended): Pick<Sent, 'form' | 'by'> | undefined {
    const found = this.sent.findLast((one) => one.path === path && (body === null || one.body === body))
    if (found && how === 'failed') this.failed.set(found.form, found)
    else if (found) this.failed.delete(found.form)
    return found
  }

  private readonly listener = (event: SubmitEvent): void => this.note(event)

  private note({ target, submitter }: SubmitEvent, body?: string): void {
    if (!(target instanceof HTMLFormElement)) return
    const own = submitter?.getAttribute('formaction')
    const { pathname } = new URL(own ?? target.action, location.href)
    this.beSameCommand(target, submitter, pathname)
    const sent = { form: target, by: submitter, path: pathname, body: body ?? bodyOf(target, submitter) }
    this.sent = [...this.sent.slice(1 - MOST), sent]
  }

  /** What failed may have been done: sent again as it was, it is the same command, though the page has read the id of another. */
  private beSameCommand(form: HTMLFormElement, by: HTMLElement | null, path: string): void {
    const [failed, field] = [this.failed.get(form), form.elements.namedItem(COMMAND)]
    if (failed?.path !== path || !(field instanceof HTMLInputElement)) return
    if (withoutCommand(failed.body) !== withoutCommand(bodyOf(form, by))) return
    field.value = new URLSearchParams(failed.body).get(COMMAND) ?? field.value
  }
}

function bodyOf(form: HTMLFormElement, by: HTMLElement | null): string {
  const fields = [...new FormData(form, by)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.name,
  ])
  return String(new URLSearchParams(fields))
}

function withoutCommand(body: string): string {
  const fields = new URLSearchParams(body)
  fields.delete(COMMAND)
  return String(fields)
}
