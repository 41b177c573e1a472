import { type EngineSeams, engineSeams } from './engine-seams.ts'
import { type ProgramSeams, programSeams } from './program-seams.ts'

export type AllSeams = { kills: number; engine: EngineSeams; program: ProgramSeams; broken: string[] }

/** Every seam of the engine and of the whole program, again and again. */
export async function allSeams(): Promise<AllSeams> {
  const engine = await engineSeams({ projector: 60, rebuild: 60 })
  const program = await programSeams({ commands: 6, media: 2, mail: 2, erase: 30 })
  const { lost, doubled, mailsMissing } = program
  const broken = [...engine.wrong, ...program.wrong, ...program.left]
  if (lost + doubled + mailsMissing > 0) broken.push(`${lost} lost, ${doubled} doubled, ${mailsMissing} mails missing`)
  return { kills: engine.projectorKills + engine.rebuildKills + program.kills, engine, program, broken }
}
