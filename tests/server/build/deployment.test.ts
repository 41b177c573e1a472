import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../../server/config.ts'
import { VARIABLES } from '../../../server/config-variables.ts'
import { ROOT } from '../../../server/root.ts'
import { FOLDERS } from '../../architecture/source.ts'
import { BROUGHT } from './program-folder.ts'

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')

type Service = {
  image?: string
  build?: { dockerfile: string }
  environment?: Record<string, string | number>
  volumes?: string[]
}
const compose = parse(read('compose.yaml')) as { services: Record<string, Service>; volumes: Record<string, null> }
const container = read('Containerfile')
const stages = container.split(/^(?=FROM )/m)
/** The instructions behind what runs: of the stage that all begin with, and of the last one. */
const image = [stages[1], stages.at(-1)].join('\n')

const GIVEN: Record<string, string> = {
  DOMAIN: 'letsbuzz.example',
  SMTP_URL: 'smtps://name:password@mail.example',
  POSTGRES_PASSWORD: 'f'.repeat(64),
  MASTER_KEY: randomBytes(32).toString('base64'),
  EMAIL_PEPPER: randomBytes(32).toString('hex'),
  MEDIA_SECRET: randomBytes(32).toString('hex'),
}
/** As compose puts the variables of `.env` in. */
const filled = (text: unknown) =>
  String(text).replace(/\$\{(\w+)(:\?[^}]*)?\}/g, (_, name: string) => GIVEN[name] ?? '')
const ofImage = Object.fromEntries(
  /^ENV (.+)$/m
    .exec(image)![1]!
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)
const ofApp = Object.entries(compose.services.app!.environment!).map(([name, value]) => [name, filled(value)])

test('what the container file and the compose file set is what the product reads, and all that it needs', () => {
  const environment: Record<string, string> = { ...ofImage, ...Object.fromEntries(ofApp) }
  expect(Object.keys(environment).filter((name) => !VARIABLES.includes(name))).toEqual([])
  expect(loadConfig(environment)).toMatchObject({
    mode: 'production',
    publicUrl: 'https://letsbuzz.example',
    trustProxy: true,
    host: '0.0.0.0',
    allowEmbedded: false,
    eventstoreUrl: 'esdb://eventstore:2113?tls=false',
  })
})

test('the compose file names every variable that is given to it, and nothing but its own services and volumes', () => {
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect([...new Set(asked)].sort()).toEqual(Object.keys(GIVEN).sort())
  const { app, ...others } = compose.services
  const hosts = ofApp.flatMap(([, value]) => /^(?:postgres|esdb):\/\/(?:[^@]*@)?(\w+)/.exec(value!)?.[1] ?? [])
  expect(hosts.filter((host) => !(host in others))).toEqual([])
  const kept = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]!))
  expect(kept.sort()).toEqual(Object.keys(compose.volumes).sort())
  expect(existsSync(join(ROOT, app!.build!.dockerfile))).toBe(true)
})

test('the image holds what a server without sources is given, and what it copies is there', () => {
  const copied = [...container.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
  expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  const brought = [...image.matchAll(/^COPY (?:--from=build )?(?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
    names!.split(' ').map((name) => name.replace('/app/', '')),
  )
  expect(brought.filter((name) => name !== 'tests/golden').sort()).toEqual([...BROUGHT].sort())
  expect(image).toMatch(/^USER node$/m)
})

test('the build of the image is given every source', () => {
  const ignored = read('.dockerignore').split('\n')
  const wanted = [
    ...FOLDERS,
    'public',
    'tests',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vite.config.ts',
    'remix.config.js',
  ]
  expect(wanted.filter((name) => !existsSync(join(ROOT, name)) || ignored.includes(name))).toEqual([])
  for (const kept of ['.git', '.env', 'node_modules', 'build', 'data']) expect(ignored).toContain(kept)
})
