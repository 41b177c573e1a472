import { useSearchParams } from '@remix-run/react'
import { LinkButton } from '../../ui/button.tsx'
import { OPENED } from '../../ui/dialog.tsx'
import { LockedGate } from '../../ui/gates/locked-gate.tsx'
import { PlanTable } from '../../ui/gates/plan-table.tsx'
import { StepperDialog } from '../../ui/gates/stepper-dialog.tsx'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { PlainRow } from '../../ui/lists/plain-row.tsx'
import { FACES, FEATURES } from './samples.ts'

const STEPS = ['Plan', 'Age', 'Agreement'].map((name, at) => ({ name, to: `?step=${at + 1}` }))

/** The form of each step asks for the next one. */
function Steps({ current }: { current: number }) {
  return (
    <StepperDialog
      title="Unlock Premium"
      closeTo="/dev/gallery/social"
      steps={STEPS}
      current={current}
      form={{ method: 'get', action: '/dev/gallery/social' }}
    >
      {current < STEPS.length ? <input type="hidden" name="step" value={current + 1} /> : null}
      {current === 1 ? <p>Three short steps. Nothing is charged before the last.</p> : null}
      {current === 2 ? <p>A selfie and your ID show that you are an adult.</p> : null}
      {current === 3 ? (
        <label className="row">
          <input type="checkbox" name="agree" /> I accept the safety agreement.
        </label>
      ) : null}
    </StepperDialog>
  )
}

/** What is not open to everybody: plans, what is locked, and the way there. */
export function Gates() {
  const [search] = useSearchParams()
  const step = Number(search.get('step'))
  return (
    <>
      <PlanTable
        caption="Plans"
        features={FEATURES}
        plans={[
          { id: 'free', name: 'Free', price: '0 kr', isCurrent: true },
          { id: 'plus', name: 'Plus', price: '59 kr a month', action: <LinkButton to="?step=1">Choose</LinkButton> },
          {
            id: 'premium',
            name: 'Premium',
            price: '99 kr a month',
            isPremium: true,
            action: (
              <LinkButton to="?step=1" state={OPENED} tone="primary" preventScrollReset>
                Unlock
              </LinkButton>
            ),
          },
        ]}
      />
      <div className="pair">
        <LockedGate
          title="See who is looking"
          action={
            <LinkButton to="?step=1" state={OPENED} tone="primary" preventScrollReset>
              See plans
            </LinkButton>
          }
          preview={
            <ListRows>
              {FACES.slice(0, 4).map((face) => (
                <PlainRow key={face.name} id={`looks-${face.name}`} face={face} label={face.name} value="Today" />
              ))}
            </ListRows>
          }
        >
          <p>Premium shows who opened your profile this week.</p>
        </LockedGate>
        <LockedGate
          title="Your matches post here"
          look="plain"
          action={<LinkButton to="/discover">Discover</LinkButton>}
        >
          <p>Match with somebody first.</p>
        </LockedGate>
      </div>
      {step >= 1 && step <= STEPS.length ? <Steps current={step} /> : null}
    </>
  )
}
