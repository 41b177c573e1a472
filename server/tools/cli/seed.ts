import { counted } from '../../../domain/shared/counted.ts'
import { isLatLng, type LatLng } from '../../../domain/shared/grid.ts'
import { countAccounts } from '../../../projections/accounts/queries.ts'
import { loadConfig } from '../../config.ts'
import { findDemoLogin } from '../../demo/login.ts'
import { DEMO_MEMBERS } from '../../demo/plan.ts'
import type { Product } from '../../product.ts'
import { runCommand, UsageError } from './support/command.ts'
import { progressBar } from './support/progress.ts'
import { withProduct } from './support/with-product.ts'

const MOST = 100_000
const HELP = `
Usage: npm run seed -- [--members <number>] [--around <latitude>,<longitude>]

Adds synthetic members to the demo world: adults with generated portraits, profiles, places, likes, matches and
messages, all written as commands into the log. One of them is the demo login, made where it does not exist yet.
Works beside a running product and without one. Local mode only.

  --members <number>   how many to add (default ${DEMO_MEMBERS})
  --around <lat,lng>   where they live, in degrees (default: Lisbon, 38.72,-9.14)
  --help               this text

DATA_DIR               folder of the product (default ./data)
`

function membersFrom(text: string): number {
  const members = Number(text)
  if (Number.isInteger(members) && members > 0 && members <= MOST) return members
  throw new UsageError(`--members wants a whole number from 1 to ${MOST}, not "${text}".`)
}

function placeFrom(text: string): LatLng {
  const [lat, lng, ...more] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const location = { lat: lat ?? Number.NaN, lng: lng ?? Number.NaN }
  if (isLatLng(location) && more.length === 0) return location
  throw new UsageError(`--around wants a latitude and a longitude such as 38.72,-9.14, not "${text}".`)
}

type World = typeof import('../../demo/world.ts')

async function seed({ seedDemoWorld }: World, { core, services }: Product, members: number, around?: LatLng) {
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const there = await countAccounts(core.storage.read)
  print(
    `${counted(there.members + there.demo, 'member is', 'members are')} there already, ${there.demo} of them synthetic.`,
  )
  const bar = progressBar({ what: 'Demo world', total: members, unit: 'members' })
  const made = await seedDemoWorld(
    { core, services, now: () => new Date() },
    { members, seed: 1 + there.demo, ...(around && { around }), onProgress: (done) => bar.at(done) },
  )
  bar.end()
  print(
    `Added ${counted(made.members, 'member')}, ${counted(made.matches, 'match', 'matches')}, ` +
      `${counted(made.likes, 'like')} and ${counted(made.messages, 'message')}.`,
  )
  const login = await findDemoLogin(services)
  if (login) print(`Demo login: ${login.email} with the password ${login.password}`)
}

/** A southern latitude is no option: `--around -33.87,151.21` reads as `--around=-33.87,151.21`. */
function joinNegative(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (args[index - 1] === '--around' && /^-\d/.test(arg)) return []
    const next = args[index + 1] ?? ''
    return arg === '--around' && /^-\d/.test(next) ? [`${arg}=${next}`] : [arg]
  })
}

await runCommand(
  {
    help: HELP,
    options: { members: { type: 'string' }, around: { type: 'string' } },
    async run({ values }) {
      const members = membersFrom(values.members ?? String(DEMO_MEMBERS))
      const around = values.around === undefined ? undefined : placeFrom(values.around)
      if (process.env.APP_MODE === 'production')
        throw new Error('The demo world exists in local mode alone; nothing was added.')
      const world = await import('../../demo/world.ts')
      await withProduct((product) => seed(world, product, members, around), loadConfig(process.env))
      return undefined
    },
  },
  joinNegative(process.argv.slice(2)),
)
