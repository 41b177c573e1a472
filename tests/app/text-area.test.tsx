import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { constraintsOf } from '../../app/forms/form.server.ts'
import { formOf } from '../../app/forms/reply.ts'
import { TextArea, TextInput } from '../../app/forms/text-input.tsx'
import { Bio, Name } from '../../domain/profile/fields.ts'

const constraints = constraintsOf(z.object({ bio: Bio, firstName: Name }))
const form = formOf({ constraints, defaults: { bio: ` ${'🙂'.repeat(400)} `, firstName: '🙂'.repeat(50) } })

test('a text area counts as the server does, and lets the server judge', () => {
  const html = renderToStaticMarkup(<TextArea label="Bio" {...form.field('bio')} count />)
  expect(html).toContain('400 / 500')
  expect(html.toLowerCase()).not.toMatch(/max-?(length|characters)/)
})

test('an input lets the server judge, too', () => {
  const html = renderToStaticMarkup(<TextInput label="First name" {...form.field('firstName')} />)
  expect(html.toLowerCase()).not.toMatch(/max-?(length|characters)/)
  expect(html).toContain('🙂'.repeat(50))
})
