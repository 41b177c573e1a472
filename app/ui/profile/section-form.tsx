import { Form, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Fields } from '../../../usecases/answer.ts'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { Banner } from '../banner.tsx'
import { Button } from '../button.tsx'
import { CardTitle } from '../card.tsx'
import type { SectionRefused } from './sections.server.ts'
import './section-form.css'

/** What the page around the forms knows. */
export type Sections = {
  /** The form that was saved last, and what it says. */
  saved: string | null
  refused: SectionRefused | null
  commandIds: Readonly<Record<string, string>>
}

type SectionFormProps = {
  section: string
  title: string
  help?: string
  sections: Sections
  /** What it says when it is done. */
  done?: string
  disabled?: boolean
  children: ReactNode
}

/** One form of the own profile: it saves alone, and what it has to say stands in it (spec 2 §8). */
export function SectionForm({
  section,
  title,
  help,
  sections,
  done = 'Profile updated ✅',
  disabled = false,
  children,
}: SectionFormProps) {
  const navigation = useNavigation()
  const busy = navigation.formData?.get('section') === section
  return (
    <section className="card profile-section" id={section} aria-labelledby={`${section}-title`}>
      <Form method="post" action={`#${section}`} preventScrollReset noValidate className="stack">
        <CardTitle id={`${section}-title`}>{title}</CardTitle>
        {help ? <p className="soft">{help}</p> : null}
        <ErrorSummary errors={errorsOf(sections, section)} />
        <input type="hidden" name="section" value={section} />
        <input type="hidden" name="commandId" value={sections.commandIds[section]} />
        {children}
        <div className="row">
          <Button tone="primary" busy={busy} disabled={disabled}>
            Save<span className="visually-hidden"> {title.toLowerCase()}</span>
          </Button>
          <Done shown={sections.saved === section && !busy && !sections.refused}>{done}</Done>
        </div>
      </Form>
    </section>
  )
}

export function Done({ shown, children }: { shown: boolean; children: string }) {
  return (
    <div role="status">
      {shown ? (
        <Banner tone="leaf">
          <p>{children}</p>
        </Banner>
      ) : null}
    </div>
  )
}

export function errorsOf({ refused }: Sections, section: string): Fields {
  return refused?.section === section ? refused.errors : {}
}

/** What was typed into a form that was refused, else what is stored. */
export function typedOr({ refused }: Sections, section: string, name: string, stored: string): string {
  return refused?.section === section ? (refused.values[name]?.[0] ?? '') : stored
}

export function chosenOr(
  { refused }: Sections,
  section: string,
  name: string,
  stored: readonly string[],
): readonly string[] {
  return refused?.section === section ? (refused.values[name] ?? []) : stored
}

/** The name of a text field, what it holds, and what is wrong with it. */
export function textProps(sections: Sections, section: string, name: string, stored: string) {
  return {
    name,
    defaultValue: typedOr(sections, section, name, stored),
    error: errorsOf(sections, section)[name],
  }
}

/** The same for a group of which one is chosen. */
export function choiceProps(sections: Sections, section: string, name: string, stored: string) {
  const { defaultValue, ...props } = textProps(sections, section, name, stored)
  return { ...props, value: defaultValue }
}
