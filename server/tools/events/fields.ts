import type { z } from 'zod'
import { personalFieldsOf } from '../../../eventstore/codec.ts'
import { jsonSchemaOf } from './released.ts'

/** A field of one version. `sealedFor` names the clear field that holds the subject whose key seals it, or two whose keys do. */
export type Field = { readonly name: string; readonly type: string; readonly sealedFor: string | null }

type Json = {
  type?: string | string[]
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Json[]
  prefixItems?: Json[]
  items?: Json | Json[] | boolean
  properties?: Record<string, Json>
}

export function fieldsOf(schema: z.ZodObject): Field[] {
  const sealed = new Map(
    personalFieldsOf(schema).map(({ name, subjectField, and }) => [
      name,
      and ? `${subjectField} and ${and}` : subjectField,
    ]),
  )
  return Object.entries(schema.shape).map(([name, field]) => {
    const sealedFor = sealed.get(name) ?? null
    const json = jsonSchemaOf(field as z.ZodType) as Json
    // A sealed field may also read as erased, which need not be listed.
    const own = sealedFor === null ? json : (json.anyOf?.[0] ?? json)
    const optional = (field as z.ZodType).safeParse(undefined).success ? ', may be absent' : ''
    return { name, type: `${textOf(own)}${optional}`, sealedFor }
  })
}

function textOf(json: Json): string {
  if (json.const !== undefined) return JSON.stringify(json.const)
  if (json.enum) return json.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (json.anyOf) return json.anyOf.map(textOf).join(' | ')
  if (json.format === 'date-time') return 'date'
  if (json.prefixItems) return `[${json.prefixItems.map(textOf).join(', ')}]`
  if (json.type === 'array')
    return `list of ${typeof json.items === 'object' ? textOf(json.items as Json) : 'anything'}`
  if (json.properties) {
    const inner = Object.entries(json.properties).map(([name, one]) => `${name}: ${textOf(one)}`)
    return `{ ${inner.join(', ')} }`
  }
  const type = String(json.type ?? 'anything')
  return json.pattern ? `${type} like ${json.pattern}` : type
}
