import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { messageOf } from '../framework/message-of.ts'
import { Answers } from './answers.ts'

/** The API server of the cluster, as far as it is needed to ask who somebody is. */
export interface KubeApi {
  /** Creates an object and returns what the server makes of it. */
  post(path: string, body: { readonly kind: string }, signal: AbortSignal): Promise<unknown>
}

export type Verb = 'get' | 'post'

export type Verdict =
  | { readonly kind: 'allowed'; readonly user: string }
  /** The cluster knows who it is, and does not permit it. */
  | { readonly kind: 'forbidden'; readonly user: string }
  /** The cluster does not know whose token it is. */
  | { readonly kind: 'stranger' }

export interface ReviewLimits {
  /** The longest that one question to the API server may take. */
  readonly timeoutMs: number
  /** How long a good answer counts. */
  readonly keepMs: number
  /** How long a bad one does. */
  readonly keepRefusalMs: number
  /** How many answers are remembered. */
  readonly most: number
  /** How many questions may be under way. */
  readonly atOnce: number
}

const usualLimits: ReviewLimits = {
  timeoutMs: 10_000,
  keepMs: 60_000,
  keepRefusalMs: 5_000,
  most: 1_000,
  atOnce: 32,
}

/** Asks the cluster whose token it is (TokenReview) and what they may do here (SubjectAccessReview). */
export class Reviewer {
  readonly #api: KubeApi
  readonly #limits: ReviewLimits
  readonly #users: Answers<User | undefined>
  readonly #permissions: Answers<boolean>
  readonly #hashKey = randomBytes(32)
  #underWay = 0

  constructor(api: KubeApi, limits: Partial<ReviewLimits> = {}, clock = () => performance.now()) {
    this.#api = api
    this.#limits = { ...usualLimits, ...limits }
    this.#users = new Answers(this.#limits.most, clock)
    this.#permissions = new Answers(this.#limits.most, clock)
  }

  /** Throws when the API server cannot be asked; nothing of the token is in the error. */
  async judge(token: string, path: string, verb: Verb): Promise<Verdict> {
    try {
      return await this.#judge(token, path, verb)
    } catch (error) {
      const message = messageOf(error)
      throw new Error(message.replaceAll(token, '[redacted]'))
    }
  }

  async #judge(token: string, path: string, verb: Verb): Promise<Verdict> {
    const { keepMs, keepRefusalMs } = this.#limits
    const owner = createHmac('sha256', this.#hashKey).update(token).digest('base64url')
    const user = await this.#users.get(
      owner,
      () => this.#ownerOf(token),
      (known) => (known === undefined ? keepRefusalMs : keepMs),
    )
    if (user === undefined) return { kind: 'stranger' }
    const isAllowed = await this.#permissions.get(
      `${owner} ${verb} ${path}`,
      () => this.#isAllowed(user, path, verb),
      (allowed) => (allowed ? keepMs : keepRefusalMs),
    )
    return { kind: isAllowed ? 'allowed' : 'forbidden', user: user.username }
  }

  async #ownerOf(token: string): Promise<User | undefined> {
    const { authenticated, user } = await this.#review('authentication.k8s.io', 'TokenReview', { token }, tokenStatus)
    return authenticated === true ? user : undefined
  }

  async #isAllowed(user: User, path: string, verb: Verb): Promise<boolean> {
    const { username, uid, groups, extra } = user
    const spec = { user: username, uid, groups, extra, nonResourceAttributes: { path, verb } }
    const status = await this.#review('authorization.k8s.io', 'SubjectAccessReview', spec, accessStatus)
    return status.allowed && status.denied !== true
  }

  async #review<T>(group: string, kind: string, spec: object, schema: z.ZodType<T>): Promise<T> {
    const { atOnce, timeoutMs } = this.#limits
    if (this.#underWay >= atOnce) throw new Error(`${atOnce} questions to the API server are under way already.`)
    this.#underWay++
    try {
      const path = `/apis/${group}/v1/${kind.toLowerCase()}s`
      const body = { apiVersion: `${group}/v1`, kind, spec }
      const answer = z
        .object({ status: schema })
        .safeParse(await this.#api.post(path, body, AbortSignal.timeout(timeoutMs)))
      if (!answer.success) throw new Error(`The API server answers a ${kind} with something that is none.`)
      return answer.data.status
    } finally {
      this.#underWay--
    }
  }
}

const user = z.object({
  username: z.string(),
  uid: z.string().optional(),
  groups: z.array(z.string()).nullish(),
  extra: z.record(z.string(), z.array(z.string())).nullish(),
})

type User = z.infer<typeof user>

const tokenStatus = z.object({ authenticated: z.boolean().optional(), user: user.partial().optional() }).transform(
  // A user without a name is nobody.
  ({ authenticated, user: found }) => ({
    authenticated,
    user: found?.username ? { ...found, username: found.username } : undefined,
  }),
)

const accessStatus = z.object({ allowed: z.boolean(), denied: z.boolean().optional() })
