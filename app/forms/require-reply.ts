import type { ClientActionFunctionArgs } from '@remix-run/react'

type Send = (args: ClientActionFunctionArgs) => Promise<unknown>

/**
 * The same for a form whose answer leads on, or is a refusal with its reason: one that can be read and is neither is a
 * refusal in these words (spec 1 §8).
 */
export const requireReply =
  (send: Send, words: string) =>
  (args: ClientActionFunctionArgs): Promise<unknown> => {
    const serverAction: ClientActionFunctionArgs['serverAction'] = async <T>() => {
      const reply = await args.serverAction<T>()
      if (typeof (reply as { status?: unknown } | null | undefined)?.status === 'number') return reply
      // As Remix throws an answer of an error's status, whose words a form shows.
      throw { status: 400, statusText: '', internal: false, data: words }
    }
    return send({ ...args, serverAction })
  }
