import type { EventType } from '../domain/all-events.ts'
import { accounts } from './accounts/project.ts'
import { conversations } from './conversations/project.ts'
import { discover } from './discover/project.ts'
import { histories } from './history/project.ts'
import { notifications } from './notifications/project.ts'
import { profiles } from './profiles/project.ts'
import type { Projection } from './projection.ts'
import { relations } from './relations/project.ts'
import { reports } from './reports/project.ts'

/** Every read model that is made from the log. */
export const allProjections: readonly Projection[] = [
  accounts,
  profiles,
  relations,
  conversations,
  notifications,
  discover,
  reports,
  histories,
]

const nameOf = ({ name }: Projection) => name
const isForMembers = ({ readBy }: Projection) => readBy !== 'operators'

export const allModels: readonly string[] = allProjections.map(nameOf)

/** The names of those that members' pages read. */
export const memberModels: readonly string[] = allProjections.filter(isForMembers).map(nameOf)

/** The names of those that show what events of these types changed; operators' own count where no other does. */
export function modelsShowing(types: Iterable<EventType>): string[] {
  const all = [...types]
  const showing = allProjections.filter(({ when }) => all.some((type) => Object.hasOwn(when, type)))
  const forMembers = showing.filter(isForMembers)
  return (forMembers.length > 0 ? forMembers : showing).map(nameOf)
}
