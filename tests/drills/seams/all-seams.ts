import { type RestoreKillResult, restoreKillDrill } from '../restore-kill.ts'
import { type EngineSeams, engineSeams } from './engine-seams.ts'
import { type ProgramSeams, programSeams } from './program-seams.ts'

/** `seams`: kills by what was done at that moment. */
export type AllSeams = {
  kills: number
  seams: Record<string, number>
  engine: EngineSeams
  program: ProgramSeams
  backup: RestoreKillResult
  broken: string[]
}

/** Every seam of backups, of the engine and of the whole program, again and again. */
export async function allSeams(say: (text: string) => void): Promise<AllSeams> {
  const backup = await restoreKillDrill({ kills: 36, members: 12, at: 'seams' })
  say(`backup ${JSON.stringify(backup)}`)
  const engine = await engineSeams({ projector: 42, rebuild: 10 })
  say(`engine ${JSON.stringify(engine)}`)
  const program = await programSeams({ commands: 6, media: 2, mail: 2, erase: 24, reactor: 2 })
  say(`program ${JSON.stringify(program)}`)
  const { lost, doubled, mailsMissing } = program
  const { half, differing, back, cut } = backup
  const broken = [...engine.wrong, ...program.wrong, ...program.left]
  if (lost + doubled + mailsMissing > 0) broken.push(`${lost} lost, ${doubled} doubled, ${mailsMissing} mails missing`)
  if (half + differing + back > 0) broken.push(`${half} half backups, ${differing} rows differ, ${back} came back`)
  const seams = { 'backup and restore': cut, ...engine.kills, ...program.kills }
  const kills = Object.values(seams).reduce((sum, count) => sum + count, 0)
  return { kills, seams, engine, program, backup, broken }
}
