import { loadConfig } from '../../config.ts'
import { administer, checkRequest } from '../admin/commands.ts'
import { requireProduct } from './support/attach.ts'
import { runCommand } from './support/command.ts'
import { withProduct } from './support/with-product.ts'

const HELP = `
Usage: npm run admin -- <command> [--reason <text>] [--yes]

For whoever keeps members safe. Works beside a running product and without one. <who> is an e-mail address or an id.

  reports                        open cases, the longest waiting first
  report <case>                  one case with its evidence
  close <case>                   closes a case without action
  suspend <who> --reason <text>  shuts a member out, ends all sessions, closes the cases about them (--yes)
  reinstate <who>                lets a suspended member in again
  deactivate <who>               takes a member out of sight and ends all sessions; they may come back
  erase <who>                    forgets a member for ever: key, account, files, place, sessions, address (--yes);
                                 interrupted, the same call resumes where it stopped
  find <who>                     id and account status of a member
  grant <role> <who>             gives a role: auditor, moderator or developer
  revoke <role> <who>            takes it away; the next page that asks for it knows
  roles                          who has which role

  --yes                          really do it
  --help                         this text

Ends with 0, with 1 when it could not be done, with 2 for a wrong call.
DATA_DIR is the product's folder (default ./data).
`

await runCommand({
  help: HELP,
  options: { reason: { type: 'string' }, yes: { type: 'boolean' } },
  words: { least: 1, most: 3 },
  async run({ values: { reason, yes = false }, words }) {
    checkRequest({ words })
    const config = loadConfig(process.env)
    requireProduct(config)
    const lines = await withProduct(
      (product) => administer(product, { words, yes, ...(reason !== undefined && { reason }) }),
      config,
    )
    process.stdout.write(`${lines.join('\n')}\n`)
    return undefined
  },
})
