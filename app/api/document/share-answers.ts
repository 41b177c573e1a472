import type { oas31 } from 'zod-openapi'

type Answers = Record<string, unknown>

/** The same document, in which what several calls refuse alike is described once. */
export function shareAnswers(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const operations = Object.values(document.paths ?? {}).flatMap(operationsOf)
  const all = operations.flatMap(({ responses }) => (responses ? [responses] : []))
  const shared = namesOf(all)
  for (const responses of all) {
    for (const [status, answer] of Object.entries(responses)) {
      const name = shared.get(keyOf(status, answer))
      if (name) responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  const answers = [...shared].map(([key, name]) => [name, JSON.parse(key.slice(key.indexOf(' ')))])
  return { ...document, components: { ...document.components, responses: Object.fromEntries(answers) } }
}

const operationsOf = ({ get, post, put, patch, delete: remove }: oas31.PathItemObject) =>
  [get, post, put, patch, remove].filter((one) => one !== undefined)

const keyOf = (status: string, answer: unknown) => `${status} ${JSON.stringify(answer)}`

/** Names such as `Refused403` and `Refused403-2` for what stands more than once, in the order of the calls. */
function namesOf(all: readonly Answers[]): ReadonlyMap<string, string> {
  const keys = all.flatMap((responses) => Object.entries(responses).map(([status, answer]) => keyOf(status, answer)))
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const perStatus = new Map<string, number>()
  const names = new Map<string, string>()
  for (const [key, count] of counts) {
    const status = key.slice(0, key.indexOf(' '))
    if (count < 2 || status < '400') continue
    const number = (perStatus.get(status) ?? 0) + 1
    perStatus.set(status, number)
    names.set(key, number === 1 ? `Refused${status}` : `Refused${status}-${number}`)
  }
  return names
}
