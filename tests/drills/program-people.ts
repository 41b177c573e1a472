import sharp from 'sharp'

/** A member of a running program, as its JSON interface made them. */
export type Caller = { id: string; token: string }
export const PASSWORD = 'violet-otter-43-lamp'

type Call = { token?: string; body?: unknown; method?: string }

/** One call of the JSON interface. */
export function call(url: string, path: string, { token, body, method }: Call = {}): Promise<Response> {
  return fetch(`${url}/api${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
}

/** A sign-up up to the last step: the proof of an address, and the answers of the wizard with two pictures. */
export async function prepareSignUp(url: string, email: string): Promise<{ signupToken: string; answers: object }> {
  await must(call(url, '/auth/send-code', { body: { email } }))
  const mails = (await fetch(`${url}/dev/mailbox.json?to=${encodeURIComponent(email)}`).then((found) =>
    found.json(),
  )) as { text: string }[]
  const code = /^\d{6}$/m.exec(mails[0]?.text ?? '')?.[0]
  const verified = await must(call(url, '/auth/verify-code', { body: { email, code } }))
  const { signupToken } = (await verified.json()) as { signupToken: string }
  const photos = [await upload(url, signupToken, '#c96'), await upload(url, signupToken, '#69c')]
  return { signupToken, answers: { ...ANSWERS, photos } }
}

const ANSWERS = {
  firstName: 'Ada',
  lastName: 'Tester',
  password: PASSWORD,
  gender: 'Female',
  dob: '1994-04-12',
  lookingFor: 'serious',
  interestedIn: ['male', 'female', 'other'],
  interests: ['Music', 'Travel'],
}

async function upload(url: string, token: string, background: string): Promise<string> {
  const picture = await sharp({ create: { width: 60, height: 75, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('purpose', 'photo')
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'photo.jpg')
  const answer = await must(call(url, '/upload-media-file', { token, body: form }))
  return ((await answer.json()) as { url: string }).url
}

/** The whole sign-up, with the code from the development mailbox. */
export async function signUp(url: string, email: string): Promise<Caller> {
  const { signupToken, answers } = await prepareSignUp(url, email)
  const answer = await must(call(url, '/auth/register-full', { body: { ...answers, signupToken } }))
  const { token, user } = (await answer.json()) as { token: string; user: { id: string } }
  return { id: user.id, token }
}

/** So many members, a few at a time. */
export async function signUpMany(url: string, count: number): Promise<Caller[]> {
  const members: Caller[] = []
  let next = 0
  const work = async () => {
    while (next < count) members.push(await signUp(url, `drill.${next++}@example.com`))
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return members
}

async function must(answering: Promise<Response>): Promise<Response> {
  const answer = await answering
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
