import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Verdict } from '../../../app/routes/audit.$member.rows/models.tsx'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { ComparedModel } from '../../../projections/history/replay.ts'

const model = (name: string, verdict: ComparedModel['verdict']): ComparedModel => ({
  name,
  verdict,
  position: '1' as Position,
  count: 0,
  wrong: 0,
})
const shown = (...models: ComparedModel[]) => renderToStaticMarkup(<Verdict models={models} />)

test('a model that is too large is named, with what an auditor can do instead, and nothing is claimed of it', () => {
  const html = shown(model('accounts', 'equal'), model('conversations', 'too-large'))
  expect(html).toContain('What was compared is what the log says')
  expect(html).not.toContain('What readers see is what the log says')
  expect(html).toContain('Too large to be compared here: conversations')
  expect(html).toContain('more than 32 MiB')
  expect(html).toContain('npm run projections -- verify conversations')
})

test('where all were compared nothing is added, and a wrong one counts first', () => {
  const right = shown(model('accounts', 'equal'), model('conversations', 'equal'))
  expect(right).toContain('What readers see is what the log says')
  expect(right).not.toContain('Too large')
  expect(shown(model('accounts', 'differs'), model('conversations', 'too-large'))).toContain(
    'Readers see what the log does not say',
  )
})
