import type { Page } from 'playwright'
import { MARK } from './corpus.ts'

/** What is asked of the product: a page, or the page that answers a form. */
export type Asked = {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
  /** The name of a file that the form brings, by its field. */
  readonly file?: readonly [field: string, name: string]
}

/** What became of strings on a page: elements that they made and what ran; `isThere`: the page has the string at all. */
export type Look = {
  readonly path: string
  readonly status: number
  readonly wrong: readonly string[]
  readonly isThere: boolean
}

/** What no field keeps of a string, or a line of text. */
const LEFT_OUT = /[\p{Cc}\u202e\u2028\u2029]+/u

/** What a search keeps; a draft of a registration keeps more of a field. */
const KEPT = 100

/** Some of a string as every page writes it, whatever field has it. */
function someOf(text: string): string {
  const [longest = ''] = text
    .slice(0, KEPT)
    .split(LEFT_OUT)
    .sort((a, b) => b.length - a.length)
  return longest.slice(0, 24).trim()
}

/** Installs `lookAtMarkup` in a page, which looks at one document, and `markupRan`, what ran in it or in its frames. */
function install(mark: string): void {
  const ran: string[] = []
  const wrong = `[${mark}], [href^="javascript:" i], [action^="javascript:" i], [formaction^="javascript:" i], base`
  const holds = (text: string | null | undefined, part: string) => Boolean(text?.replace(/\s+/g, ' ').includes(part))
  const look = (whole: Document, part: string) => {
    const copy = whole.body.cloneNode(true) as HTMLElement
    for (const script of copy.querySelectorAll('script')) script.remove()
    const all = [...copy.querySelectorAll('*')]
    const isThere =
      holds(copy.textContent, part) ||
      all.some((one) => [...one.attributes].some(({ value }) => holds(value, part))) ||
      [...whole.querySelectorAll('input, textarea')].some((one) => holds((one as HTMLInputElement).value, part))
    return { wrong: [...whole.querySelectorAll(wrong)].map((one) => one.outerHTML), isThere }
  }
  Object.assign(window, { hit: () => ran.push('ran'), markupRan: ran, lookAtMarkup: look })
}

/** What runs in this page from here on, whatever it opens. */
export async function watch(page: Page): Promise<void> {
  await page.addInitScript(install, MARK)
}

/** Runs documents as the server writes them, each in a frame without the product's own script, and as a parser reads them. */
export function runDocuments(page: Page, asked: readonly Asked[], text: string): Promise<Look[]> {
  const run = async ([all, part]: readonly [readonly Asked[], string]) => {
    const { markupRan, lookAtMarkup } = window
    const bodyOf = ({ fields, file }: Asked) => {
      if (!file) return fields && new URLSearchParams(fields)
      const form = new FormData()
      for (const [name, value] of Object.entries(fields ?? {})) form.append(name, value)
      form.append(file[0], new File(['no picture'], file[1], { type: 'text/plain' }))
      return form
    }
    const framed = async (html: string) => {
      const frame = document.createElement('iframe')
      frame.hidden = true
      // Nothing of the product's own is loaded: what strings would make has other words.
      const ours = html
        .replaceAll('type="module"', 'type="text/plain"')
        .replace(/rel="(modulepreload|stylesheet|preload)"/g, '')
        .replace(/\b(src|srcset)="(?=\/(register\/)?media\/)/gi, 'data-was="')
      frame.srcdoc = `<script>window.hit = () => parent.hit()</script>${ours}`
      const loaded = new Promise((done) => frame.addEventListener('load', done, { once: true }))
      document.body.append(frame)
      await loaded
      const seen = frame.contentDocument
        ? lookAtMarkup(frame.contentDocument, part)
        : { wrong: ['no document'], isThere: false }
      frame.remove()
      return seen
    }
    return Promise.all(
      all.map(async (one) => {
        const body = bodyOf(one)
        const sent = body && { method: 'POST', body }
        // A form is sent from its own page.
        const answer = await fetch(one.path, { headers: { Accept: 'text/html' }, referrer: one.path, ...sent })
        const html = await answer.text()
        const parsed = lookAtMarkup(new DOMParser().parseFromString(html, 'text/html'), part)
        const run = await framed(html)
        const wrong = [...new Set([...parsed.wrong, ...run.wrong, ...markupRan.splice(0)])]
        return { path: `${one.path} at ${answer.url}`, status: answer.status, wrong, isThere: parsed.isThere }
      }),
    )
  }
  return page.evaluate(run, [asked, someOf(text)] as const)
}

/** Goes there within the page that is awake, or sends a form there, as its script does; then looks at it. */
export function goWithin(page: Page, { path, fields }: Asked, text: string): Promise<Look> {
  const go = async ([to, typed, part]: readonly [string, Readonly<Record<string, string>> | undefined, string]) => {
    const { markupRan, lookAtMarkup, __remixRouter: router } = window
    const formData = new FormData()
    for (const [name, value] of Object.entries(typed ?? {})) formData.append(name, value)
    await (typed ? router.navigate(to, { formMethod: 'post', formData }) : router.navigate(to))
    // React draws what has come in tasks of its own, and these come before any in the background.
    const { scheduler } = window as unknown as Background
    for (let rounds = 0; rounds < 2; rounds++) await scheduler.postTask(() => {}, { priority: 'background' })
    const { wrong, isThere } = lookAtMarkup(document, part)
    return { path: to, status: 200, wrong: [...wrong, ...markupRan.splice(0)], isThere }
  }
  return page.evaluate(go, [path, fields, someOf(text)] as const)
}

/** Looks at the page that is open. */
export const lookAt = (page: Page, path: string, text: string): Promise<Look> =>
  page.evaluate(
    ([at, part]) => {
      const { wrong, isThere } = window.lookAtMarkup(document, part)
      return { path: at, status: 200, wrong: [...wrong, ...window.markupRan.splice(0)], isThere }
    },
    [path, someOf(text)] as const,
  )

type Background = {
  readonly scheduler: { postTask(task: () => void, options: { readonly priority: 'background' }): Promise<void> }
}

declare global {
  interface Window {
    markupRan: string[]
    lookAtMarkup: (whole: Document, part: string) => { wrong: string[]; isThere: boolean }
  }
}
