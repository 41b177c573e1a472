import { HARMS, type Harm } from './harms.ts'
import { isSent, type Outcome } from './outcome.ts'

const FORM_WIDTH = 24
const CELL_WIDTH = 11

/** A row for each form, with and without script, and a column for each harm. */
export function tableOf(outcomes: readonly Outcome[]): readonly string[] {
  const forms = [...new Set(outcomes.map(({ form }) => form))].sort()
  const rows = forms.flatMap((form) => [true, false].map((script) => ({ form, script })))
  return [
    rowOf('form', 'script', HARMS),
    ...rows.map(({ form, script }) => {
      const own = outcomes.filter((one) => one.form === form && one.script === script)
      return rowOf(
        form,
        script ? 'yes' : 'no',
        HARMS.map((harm) => cellOf(own, harm)),
      )
    }),
  ]
}

const rowOf = (form: string, script: string, cells: readonly string[]) =>
  [form.padEnd(FORM_WIDTH), script.padEnd('script '.length), ...cells.map((cell) => cell.padEnd(CELL_WIDTH))]
    .join('')
    .trimEnd()

/** A dash where there is no such case: a visitor has no session to lose. */
function cellOf(own: readonly Outcome[], harm: Harm): string {
  const one = own.find((outcome) => outcome.harm === harm)
  if (!one) return '-'
  const { verdict } = one
  if (verdict === 'kept') return isSent(one) ? 'kept' : 'UNSENT'
  return verdict === 'excepted' ? verdict : verdict.toUpperCase()
}
