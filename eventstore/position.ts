import type { Position } from '../domain/shared/recorded.ts'

type LogPosition = { commit: bigint; prepare: bigint }

const DIGITS = 13
const pad = (n: bigint) => n.toString(36).padStart(DIGITS, '0')
const parse = (text: string) => [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)

/** The log's two numbers as text that sorts as the log does. */
export function toPosition({ commit, prepare }: LogPosition): Position {
  return (commit === prepare ? pad(commit) : `${pad(commit)}-${pad(prepare)}`) as Position
}

/** The embedded log's one number, which stays below 2^53, as the same text. */
export const positionOf = (number: number): Position => number.toString(36).padStart(DIGITS, '0') as Position

/** Back to the log's two numbers. */
export function fromPosition(position: Position): LogPosition {
  const [commit, prepare] = position.split('-') as [string, string?]
  return { commit: parse(commit), prepare: parse(prepare ?? commit) }
}

/** The later of two; positions of one log only. */
export function later(a: Position, b: Position): Position {
  return a < b ? b : a
}

/** Of each call: another node of a cluster may be behind what was acknowledged, and answers nothing. */
export const LEADER = { requiresLeader: true } as const
