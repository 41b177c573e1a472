import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StepAnswers } from '../../../usecases/register/answers.ts'
import { keepStep } from '../../../usecases/register/keep-step.ts'
import { findProof, type VisitorProof } from '../../../usecases/register/proof.ts'
import { registerFromDraft } from '../../../usecases/register/register-from-draft.ts'
import { removeUpload } from '../../../usecases/register/remove-upload.ts'
import { saveAnswers } from '../../../usecases/register/save-answers.ts'
import { type SavingStep, saveStep } from '../../../usecases/register/save-step.ts'
import { BASICS, newcomer, PASSWORD } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const basics = (change: object = {}): StepAnswers => ({ ...BASICS, interestedIn: ['male'], ...change })
const both = (chosen: string) => ({ chosen, confirmed: chosen })

async function visitor() {
  const { signupToken, payload } = await newcomer(world)
  const proof = async (): Promise<VisitorProof> => (await findProof(world.context, signupToken))!
  return {
    proof,
    payload,
    save: async (saving: Omit<SavingStep, 'go'> & Partial<SavingStep>) =>
      saveStep(world.context, await proof(), { go: 'on', ...saving }),
    draft: async () => JSON.stringify((await proof()).draft),
  }
}

test('a step is kept and leads to the next; the password is kept as its hash alone', async () => {
  const ada = await visitor()
  const saved = await ada.save({ answers: basics(), password: both(PASSWORD) })
  expect(saved).toEqual({ ok: true, value: { to: 'preferences' } })
  expect(await ada.draft()).toContain('Lovelace')
  expect(await ada.draft()).not.toContain(PASSWORD)
})

test('what is wrong is refused by field and kept all the same', async () => {
  const ada = await visitor()
  const answers = basics({ firstName: '', dob: '1990-02-30', interestedIn: [] })
  const refused = await ada.save({ answers, password: { chosen: PASSWORD, confirmed: 'another' } })
  expect(refused).toEqual({
    ok: false,
    reason: 'wrong-answers',
    problems: { firstName: 'wrong', dob: 'wrong', interestedIn: 'wrong', confirm: 'differs' },
  })
  expect(await ada.draft()).toContain('1990-02-30')
  expect(await ada.save({ answers: basics() })).toMatchObject({ problems: { password: 'wrong' } })
  expect(await ada.save({ answers: basics(), password: both('tiny') })).toMatchObject({
    problems: { password: 'too-short' },
  })
  for (const password of [both(`${PASSWORD} `), { chosen: ` ${PASSWORD}`, confirmed: PASSWORD }])
    expect(await ada.save({ answers: basics(), password })).toMatchObject({
      problems: { password: 'outer-spaces' },
    })
})

test('going back keeps an unfinished step without a word', async () => {
  const ada = await visitor()
  const answers = { step: 'interests', interests: ['Music', 'No such thing'] } as const
  const saved = await ada.save({ answers: { ...answers, interests: [...answers.interests] }, go: 'back' })
  expect(saved).toEqual({ ok: true, value: { to: 'preferences' } })
  expect(await ada.draft()).toContain('No such thing')
})

test('a password stays while the name does, and is asked for again when that changes', async () => {
  const ada = await visitor()
  await ada.save({ answers: basics(), password: both(PASSWORD) })
  expect(await ada.save({ answers: basics({ gender: 'Other' }) })).toMatchObject({ ok: true })
  const renamed = await ada.save({ answers: basics({ firstName: 'Violet' }) })
  expect(renamed).toMatchObject({ problems: { password: 'again' } })
})

test.each(['a call', 'typing', 'a wrong password'])('a name that %s changes takes the password away', async (how) => {
  const ada = await visitor()
  await ada.save({ answers: basics(), password: both(PASSWORD) })
  await saveAnswers(world.context, await ada.proof(), { firstName: 'Ada', gender: 'Other' })
  expect(await ada.draft()).not.toContain('"passwordHash":null')
  const [firstName] = PASSWORD.split('-')
  const answers = basics({ firstName })
  if (how === 'a call') await saveAnswers(world.context, await ada.proof(), { firstName })
  if (how === 'typing') await keepStep(world.context, await ada.proof(), answers)
  if (how === 'a wrong password') await ada.save({ answers, password: both('tiny') })
  expect(await ada.draft()).toContain('"passwordHash":null')
  expect(await ada.save({ answers })).toMatchObject({ problems: { password: 'wrong' } })
})

test('someone under eighteen is refused, and what they typed is gone', async () => {
  const kim = await visitor()
  const dob = `${new Date().getUTCFullYear() - 10}-01-01`
  const proof = await kim.proof()
  expect(await kim.save({ answers: basics({ dob }), password: both(PASSWORD) })).toEqual({ ok: false, reason: 'minor' })
  expect(await world.services.proofs.find(proof.token)).toBeNull()
})

test('typing is kept unjudged; an upload is removed by its visitor alone; the draft registers', async () => {
  const [ada, eve] = [await visitor(), await visitor()]
  await keepStep(world.context, await ada.proof(), { step: 'contact', phone: 'never mind' })
  expect(await ada.draft()).toContain('never mind')
  const [mine] = await world.services.media.list({ proof: (await ada.proof()).id })
  await removeUpload(world.context, await eve.proof(), mine!.id)
  expect(await world.services.media.list({ proof: (await ada.proof()).id })).toHaveLength(2)
  const label = 'A test'
  expect(await registerFromDraft(world.context, await ada.proof(), { label })).toEqual({
    ok: false,
    reason: 'incomplete',
  })
  await ada.save({ answers: basics(), password: both(PASSWORD) })
  await ada.save({ answers: { step: 'interests', interests: ['Music'] } })
  const wrong = await registerFromDraft(world.context, await ada.proof(), { label })
  expect(wrong).toEqual({ ok: false, reason: 'invalid-answers', fields: ['phone'] })
  await ada.save({ answers: { step: 'contact', phone: '+1 415 555 0123' } })
  expect(await registerFromDraft(world.context, await ada.proof(), { label })).toMatchObject({ ok: true })
})

test('steps that two tabs send at once are all kept', async () => {
  const ada = await visitor()
  const proof = await ada.proof()
  const save = (answers: StepAnswers, more: Partial<SavingStep> = {}) =>
    saveStep(world.context, proof, { answers, go: 'on', ...more })
  const saved = await Promise.all([
    save(basics(), { password: both(PASSWORD) }),
    save({ step: 'interests', interests: ['Music'] }),
    save({ step: 'contact', phone: '+14155550123' }),
    keepStep(world.context, proof, { step: 'photos', avatar: '/media/any', order: [] }),
  ])
  expect(saved.slice(0, 3)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }])
  expect((await ada.proof()).draft).toMatchObject({
    passwordHash: expect.any(String),
    steps: {
      basics: { firstName: 'Ada' },
      interests: { interests: ['Music'] },
      contact: { phone: '+14155550123' },
      photos: { avatar: '/media/any' },
    },
  })
})

test('typing that arrives after its step was sent changes nothing', async () => {
  const ada = await visitor()
  const typing = await ada.proof()
  await ada.save({ answers: { step: 'contact', phone: '+14155550123' } })
  await keepStep(world.context, typing, { step: 'contact', phone: '+1415' })
  expect(await ada.draft()).toContain('"+14155550123"')
})

test('a name that another tab has changed asks for the password again', async () => {
  const ada = await visitor()
  await ada.save({ answers: basics(), password: both(PASSWORD) })
  const late = await ada.proof()
  await ada.save({ answers: basics({ firstName: 'Violet' }), password: both(PASSWORD) })
  const refused = await saveStep(world.context, late, { answers: basics(), go: 'on' })
  expect(refused).toMatchObject({ problems: { password: 'again' } })
})
