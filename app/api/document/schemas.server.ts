import { z } from 'zod'
import type { CreateDocumentOptions } from 'zod-openapi'
import { TIDIED } from '../fields.ts'

type Override = NonNullable<CreateDocumentOptions['override']>
type Rendered = Parameters<Override>[0]['jsonSchema']

/**
 * What a client is to send, and not what is read first: a number in an address is a number, and the limits of a text are those
 * of the text as it is kept. JSON Schema counts a string in code points, as every check here does.
 */
export const override: Override = ({ zodSchema, jsonSchema, io }) => {
  // Of zod's own: a statement about types, not about requests.
  delete jsonSchema.readOnly
  const { def } = zodSchema._zod
  if (io !== 'input' || def.type !== 'pipe') return
  if (def.out._zod.def.type === 'transform') return
  const { $schema: _dialect, ...checked } = z.toJSONSchema(def.out, { io, unrepresentable: 'any' })
  if (checked.type === 'string') Object.assign(jsonSchema, tidied(checked as Rendered))
  else replace(jsonSchema, checked as Rendered)
}

const tidied = (checked: Rendered): Rendered => ({
  ...checked,
  ...(checked.maxLength !== undefined && { description: TIDIED }),
})

function replace(rendered: Rendered, by: Rendered): void {
  for (const key of Object.keys(rendered)) delete rendered[key as keyof Rendered]
  Object.assign(rendered, by)
}
