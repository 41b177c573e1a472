import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../picture/icon.tsx'
import './plan-table.css'

export type Plan = {
  id: string
  name: string
  price: string
  /** The one in gold. */
  isPremium?: boolean
  /** The member has it. */
  isCurrent?: boolean
  /** How one gets it: a link or a button. */
  action?: ReactNode
}

/** What a plan has of it, by the id of the plan: yes, no, or how much. */
export type PlanFeature = { label: string; help?: string; of: Readonly<Record<string, boolean | string>> }

type PlanTableProps = { caption: string; plans: readonly Plan[]; features: readonly PlanFeature[] }

/** Plans beside each other as a table, one feature in a row. On a phone three of them scroll under the features. */
export function PlanTable({ caption, plans, features }: PlanTableProps) {
  const lookOf = ({ isPremium }: Plan) => classes('plan', isPremium && 'plan-premium')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <section className="plans" aria-label={caption} tabIndex={0}>
      <table className="plan-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.id} scope="col" className={lookOf(plan)}>
                <span className="plan-name">
                  {plan.isPremium ? <Icon name="star" size="s" /> : null}
                  {plan.name}
                </span>
                <span className="plan-price">{plan.price}</span>
                {plan.isCurrent ? <span className="plan-current">Your plan</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {features.map(({ label, help, of }) => (
            <tr key={label}>
              <th scope="row">
                {label}
                {help ? <span className="plan-help">{help}</span> : null}
              </th>
              {plans.map((plan) => (
                <td key={plan.id} className={lookOf(plan)}>
                  <Has what={of[plan.id] ?? false} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            {plans.map((plan) => (
              <td key={plan.id} className={lookOf(plan)}>
                {plan.action}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function Has({ what }: { what: boolean | string }) {
  if (typeof what === 'string') return <span className="tabular">{what}</span>
  return what ? <Icon name="check" label="Included" /> : <Icon name="minus" label="Not included" className="plan-not" />
}
