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
