import { describe, expect, it } from 'vitest'
import { Reviewer, type ReviewLimits } from '../../src/http/reviews.ts'
import { aReviewServer, type ReviewServer } from './api-server.ts'
import { serverOf } from './support.ts'

const tokens = {
  'token-of-prometheus': { username: 'system:serviceaccount:monitoring:k8s', groups: ['g'], may: ['get /metrics'] },
  'token-of-alice': {
    username: 'alice',
    may: ['get /', 'get /status', 'get /status/schema', 'get /metrics', 'post /run'],
  },
}

/** A detector's server that asks the API server, with a clock of its own. */
function guarded({ api }: Pick<ReviewServer, 'api'>, limits: Partial<ReviewLimits> = {}) {
  const undecided: unknown[] = []
  let now = 0
  const reviewer = new Reviewer(api, limits, () => now)
  const gate = {
    judge: reviewer.judge.bind(reviewer),
    undecided: (error: unknown) => void undecided.push(error),
  }
  const server = serverOf({ checkNow: () => ({ unknown: [] }) }, { gate })
  return {
    undecided,
    pass: (ms: number) => {
      now += ms
    },
    ask: (call: string, token?: string) => {
      const [method = 'GET', url = '/'] = call.split(' ')
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return server.inject({
        method: method as 'GET', // and POST and HEAD
        url,
        headers: authorization,
        ...(method === 'POST' ? { payload: {} } : {}),
      })
    },
  }
}

const closed = ['GET /', 'GET /status', 'HEAD /status', 'GET /status/schema', 'GET /metrics', 'POST /run']

describe('with a token that the cluster accepts', () => {
  it.each(closed)('%s is answered to whom it permits that', async (call) => {
    const kube = await aReviewServer(tokens)
    const { statusCode } = await guarded(kube).ask(call, 'token-of-alice')
    expect(statusCode).toBe(call === 'POST /run' ? 202 : 200)
  })

  it('asks the cluster in the words that it knows', async () => {
    const kube = await aReviewServer(tokens)
    await guarded(kube).ask('HEAD /metrics?x=1', 'token-of-prometheus')
    expect(kube.asked).toEqual([
      { kind: 'TokenReview', spec: { token: 'token-of-prometheus' } },
      {
        kind: 'SubjectAccessReview',
        spec: {
          user: 'system:serviceaccount:monitoring:k8s',
          uid: 'u-1',
          groups: ['g'],
          nonResourceAttributes: { path: '/metrics', verb: 'get' },
        },
      },
    ])
  })

  it.each([
    ['GET /status', 'get', '/status'],
    ['GET /', 'get', '/'],
    ['POST /run', 'post', '/run'],
  ])('%s is refused to whom it does not permit that, with the rule to add', async (call, verb, path) => {
    const kube = await aReviewServer(tokens)
    const answer = await guarded(kube).ask(call, 'token-of-prometheus')
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: `system:serviceaccount:monitoring:k8s may not ${verb} ${path}. Add the rule {nonResourceURLs: ["${path}"], verbs: ["${verb}"]} to a ClusterRole that is bound to it.`,
    })
  })
})

describe('without such a token', () => {
  it.each(closed)('%s is not answered', async (call) => {
    const kube = await aReviewServer(tokens)
    const answer = await guarded(kube).ask(call)
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="vsphere-problem-detector"')
    expect(kube.asked).toEqual([])
  })

  it('tells a token that is unknown', async () => {
    const answer = await guarded(await aReviewServer(tokens)).ask('GET /status', 'made-up')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="vsphere-problem-detector", error="invalid_token"')
    expect(answer.json()).toMatchObject({
      title: 'Unauthorized',
      detail: 'The cluster does not accept this bearer token; it may have expired. Get a new one.',
    })
  })

  it.each(['Basic YWxpY2U6eA==', 'Bearer', 'Bearer ', 'Bearer two words', 'token-of-alice', 'Bearer a\tb'])(
    'does not bother the cluster with %j',
    async (authorization) => {
      const kube = await aReviewServer(tokens)
      const reviewer = new Reviewer(kube.api)
      const gate = { judge: reviewer.judge.bind(reviewer), undecided() {} }
      const answer = await serverOf({}, { gate }).inject({ url: '/status', headers: { authorization } })
      expect(answer.statusCode).toBe(401)
      expect(kube.asked).toEqual([])
    },
  )

  it('who leads is not told', async () => {
    const gate = { judge: async () => ({ kind: 'stranger' as const }), undecided() {} }
    const server = serverOf({ otherLeader: () => 'vpd-2' }, { gate })
    const answer = await server.inject({ url: '/status', headers: { authorization: 'Bearer made-up' } })
    expect(answer.statusCode).toBe(401)
    expect(answer.body).not.toContain('vpd-2')
  })

  it.each(['GET /livez', 'GET /readyz', 'HEAD /livez', 'GET /assets/page.css'])('%s is answered', async (call) => {
    const kube = await aReviewServer(tokens)
    expect((await guarded(kube).ask(call)).statusCode).toBe(200)
    expect(kube.asked).toEqual([])
  })

  it.each(['GET /nothing-here', 'GET /statusx', 'DELETE /status'])('%s is still nowhere', async (call) => {
    expect((await guarded(await aReviewServer(tokens)).ask(call)).statusCode).toBe(404)
  })
})

describe('an API server that cannot be asked', () => {
  const forbidden = '{"kind":"Status","message":"tokenreviews is forbidden: User \\"vpd\\" cannot create resource"}'

  it.each<[string, ReviewServer['broken'], string]>([
    ['is broken', { status: 500, body: '{}' }, 'The API server answers 500 for TokenReview'],
    ['answers rubbish', { status: 201, body: '<html>' }, 'something that is no JSON'],
    ['answers something else', { status: 201, body: '{"kind":"Status"}' }, 'something that is none'],
    ['does not permit us to ask', { status: 403, body: forbidden }, 'system:auth-delegator'],
    ['is silent', 'hang', 'cannot be reached'],
  ])('because it %s, keeps everything closed but the probes', async (_, broken, why) => {
    const kube = await aReviewServer(tokens)
    const { ask, undecided } = guarded(kube, broken === 'hang' ? { timeoutMs: 2_000 } : {})
    kube.broken = broken
    const answer = await ask('GET /metrics', 'token-of-alice')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.json()).toMatchObject({
      title: 'Cannot tell',
      detail: 'The API server could not be asked who you are and what you may see. Ask again in a moment.',
    })
    expect(undecided.map(String).join()).toContain(why)
    expect((await ask('GET /livez')).statusCode).toBe(200)

    kube.broken = undefined
    expect((await ask('GET /metrics', 'token-of-alice')).statusCode).toBe(200)
  })

  it('because it is gone, too', async () => {
    const kube = await aReviewServer(tokens)
    const { ask, undecided } = guarded(kube)
    await kube.close()
    expect((await ask('GET /metrics', 'token-of-alice')).statusCode).toBe(503)
    expect(undecided).toHaveLength(1)
  })

  it('does not get a token printed that it hands back', async () => {
    const kube = await aReviewServer(tokens)
    const { ask, undecided } = guarded(kube)
    kube.broken = { status: 500, body: '{"message":"cannot decode token-of-alice"}' }
    const { body } = await ask('GET /metrics', 'token-of-alice')
    expect(String(undecided)).toContain('cannot decode [redacted]')
    const everything = `${body} ${undecided.map((error) => `${error} ${JSON.stringify(error)} ${(error as Error).stack}`)}` // the gate is told of Errors
    expect(everything).not.toContain('token-of-alice')
  })

  it('is not asked more than so much at once', async () => {
    const kube = await aReviewServer(tokens)
    const { ask, undecided } = guarded(kube, { atOnce: 1 })
    const [one, two] = await Promise.all([ask('GET /metrics', 'token-of-alice'), ask('GET /metrics', 'another')])
    expect([one.statusCode, two.statusCode]).toEqual([200, 503])
    expect(String(undecided)).toContain('1 questions to the API server are under way already.')
  })
})

describe('what the API server said', () => {
  const kinds = ({ asked }: ReviewServer) => asked.map(({ kind }) => kind.replace(/[a-z]/g, ''))

  it('counts for a while', async () => {
    const kube = await aReviewServer(tokens)
    const { ask, pass } = guarded(kube, { keepMs: 1000, keepRefusalMs: 100 })
    await Promise.all([ask('GET /metrics', 'token-of-alice'), ask('GET /metrics', 'token-of-alice')])
    expect(kinds(kube)).toEqual(['TR', 'SAR'])
    pass(999)
    await ask('GET /metrics', 'token-of-alice')
    expect(kinds(kube)).toEqual(['TR', 'SAR'])
    await ask('GET /status', 'token-of-alice')
    expect(kinds(kube)).toEqual(['TR', 'SAR', 'SAR'])
    pass(1)
    await ask('GET /metrics', 'token-of-alice')
    expect(kinds(kube)).toEqual(['TR', 'SAR', 'SAR', 'TR', 'SAR'])
  })

  it('counts for less where it was no', async () => {
    const kube = await aReviewServer(tokens)
    const { ask, pass } = guarded(kube, { keepMs: 1000, keepRefusalMs: 100 })
    const both = async () => {
      await ask('GET /metrics', 'made-up')
      await ask('GET /status', 'token-of-prometheus')
    }
    await both()
    pass(99)
    await both()
    expect(kinds(kube)).toEqual(['TR', 'TR', 'SAR'])
    pass(1)
    await both()
    expect(kinds(kube)).toEqual(['TR', 'TR', 'SAR', 'TR', 'SAR'])
  })

  it('is forgotten where there is too much of it', async () => {
    const kube = await aReviewServer(tokens)
    const { ask } = guarded(kube, { most: 2 })
    for (const token of ['one', 'two', 'three', 'three', 'one']) await ask('GET /metrics', token)
    expect(kube.asked.map(({ spec }) => spec['token'])).toEqual(['one', 'two', 'three', 'one'])
  })
})
