import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { NAME_COOLDOWN_MS } from '../../../domain/profile/limits.ts'
import { addMs, daysLeft } from '../../../domain/shared/dates.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { constraintsOf } from '../../forms/form.server.ts'
import { receiveForm } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { readsForSheet } from '../../shell/shell.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { LinkButton } from '../../ui/button.tsx'
import { type ListRow, ListRows } from '../../ui/lists/list-rows.tsx'
import { Done, SEEN, UPDATED, useOpenSection } from '../../ui/profile/section-form.tsx'
import { PHONE_SAVED } from './about-sections.tsx'
import { editAction } from './action.server.ts'
import { GROUPS } from './rows.ts'
import { SectionSheet } from './section-sheet.tsx'
import { PlainFields, SECTIONS } from './sections.server.ts'
import { VOICE_SAVED } from './voice-section.tsx'

export const meta = () => pageTitle('Edit profile')

export async function loader({ context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const now = context.now()
  const self = await getSelf(context.read, me, now)
  const renameable = self.nameChangedAt ? addMs(new Date(self.nameChangedAt), NAME_COOLDOWN_MS) : now
  return {
    self,
    nameDays: daysLeft(now, renameable),
    commandIds: Object.fromEntries(
      [...Object.keys(SECTIONS), 'voice'].map((section) => [section, crypto.randomUUID()]),
    ),
    constraints: constraintsOf(PlainFields),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await receiveForm(context, request, {
    purposes: { voice: 'voice' },
    work: (form) => editAction(acting, form),
  })
  return data(reply, reply.status)
}

export const clientAction = sendForm()
export const shouldRevalidate = readsForSheet

const PAGE = '/profile/edit'

/** The pages beside this one, as rows among its own. */
const BESIDE: readonly ListRow[] = [
  { id: 'photos', to: '/profile/gallery', icon: 'image', label: 'Photos and videos', value: 'Your gallery' },
  SEEN,
]

/** What came of a section that was sent without script. */
function noteOn(section: string, saved: string | null): string | null {
  if (section === 'voice') return VOICE_SAVED.get(saved ?? '') ?? null
  if (saved !== section) return null
  return section === 'phone' ? PHONE_SAVED : UPDATED
}

export default function EditProfile() {
  const { self, nameDays, commandIds, constraints } = useLoaderData<typeof loader>()
  const reply = useSentReply<typeof action>()
  const [params] = useSearchParams()
  const saved = params.get('saved')
  const form = reply?.form?.startsWith('voice-') ? 'voice' : reply?.form
  const open = useOpenSection(form)
  const page = { reply, commandIds, constraints, sheetOver: PAGE }
  return (
    <div className="column stack stack-l">
      <header className="page-bar">
        <h1>Edit profile</h1>
        <LinkButton to="/profile" icon="arrow-left" className="page-back">
          Back to profile
        </LinkButton>
      </header>
      <ListRows title="Seen by others" rows={BESIDE} />
      {GROUPS.map(({ title, rows }) => (
        <ListRows
          key={title}
          title={title}
          rows={rows.map(([id, icon, label, stored]) => {
            const note = noteOn(id, saved)
            return {
              id,
              icon,
              label,
              to: `?section=${id}`,
              opens: true,
              value: stored(self),
              note: note ? <Done shown>{note}</Done> : null,
            }
          })}
        />
      ))}
      {open ? <SectionSheet key={open} section={open} self={self} page={page} nameDays={nameDays} /> : null}
    </div>
  )
}
