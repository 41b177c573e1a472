import { type Config, loadConfig } from '../../config.ts'
import { openSecrets } from '../../secrets.ts'
import { administer, checkRequest } from '../admin/commands.ts'
import { requireOldKey, runRotation } from '../admin/rotate-master-key.ts'
import { requireProduct } from './support/attach.ts'
import { runCommand } from './support/command.ts'
import { withCore } from './support/with-core.ts'
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
                                 interrupted, the same call resumes where it stopped; also whatever remains of someone
                                 whose sign-up was lost when the log was set back
  find <who>                     id and account status of a member
  grant <role> <who>             gives a role: auditor, moderator or developer
  revoke <role> <who>            takes it away; the next page that asks for it knows
  roles                          who has which role
  rotate-master-key              seals everything under MASTER_KEY that is under MASTER_KEY_OLD, while the product runs;
                                 interrupted, the same call resumes (docs/how-to/rotate-keys.md)

  --yes                          really do it
  --help                         this text

Ends with 0, with 1 when it could not be done, with 2 for a wrong call.
DATA_DIR is the product's folder (default ./data).
`

const ROTATE = 'rotate-master-key'

async function rotate(config: Config, yes: boolean): Promise<number> {
  requireProduct(config)
  requireOldKey(openSecrets(config))
  const { lines, code } = await withCore('Interrupted: the same call resumes.', ({ core, secrets, signal }) =>
    runRotation({ core, secrets, signal, dataDir: config.dataDir, yes }),
  )
  process.stdout.write(`${lines.join('\n')}\n`)
  return code
}

await runCommand({
  help: HELP,
  options: { reason: { type: 'string' }, yes: { type: 'boolean' } },
  words: { least: 1, most: 3 },
  async run({ values: { reason, yes = false }, words }) {
    const config = loadConfig(process.env)
    if (words[0] === ROTATE && words.length === 1) return rotate(config, yes)
    checkRequest({ words })
    requireProduct(config)
    const lines = await withProduct(
      (product) => administer(product, { words, yes, ...(reason !== undefined && { reason }) }),
      config,
    )
    process.stdout.write(`${lines.join('\n')}\n`)
    return undefined
  },
})
