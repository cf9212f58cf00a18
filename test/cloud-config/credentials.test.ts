import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  credentialHygiene,
  type HygieneOptions,
  readCredentials,
  type SecretData,
} from '../../src/cloud-config/index.ts'

const pair = (user: string, password = 's3cret') => ({
  'vc.example.com.username': user,
  'vc.example.com.password': password,
})

describe('credentials are read', () => {
  it('from <server>.username and <server>.password, without one line break at the end', () => {
    const { servers, orphanKeys } = readCredentials({
      'vc.example.com.username': Buffer.from('u@d\n'),
      'vc.example.com.password': 'p\n\n',
      '10.0.0.1.password': 'q',
    })
    expect([...servers.values()]).toEqual([
      {
        server: 'vc.example.com',
        user: 'u@d',
        password: 'p\n',
        userKey: 'vc.example.com.username',
        passwordKey: 'vc.example.com.password',
      },
      { server: '10.0.0.1', password: 'q', userKey: '10.0.0.1.username', passwordKey: '10.0.0.1.password' },
    ])
    expect(orphanKeys).toEqual([])
  })

  it('with the byte order mark that every login sends', () => {
    const { servers } = readCredentials({
      'a.username': Buffer.from('\ufeffu@d'),
      'a.password': Buffer.from('\ufeffp'),
    })
    expect(servers.get('a')).toMatchObject({ user: '\ufeffu@d', password: '\ufeffp' })
  })

  it('from server_<id>, username_<id> and password_<id>', () => {
    const { servers, orphanKeys } = readCredentials({
      username_v6: 'u@d',
      password_v6: 'p\n',
      server_v6: '2001:db8::1',
      username_lost: 'x',
      'vc.example.com.vc-session-manager-url': 'https://x',
      other: 'y',
    })
    expect([...servers.values()]).toEqual([
      { server: '2001:db8::1', user: 'u@d', password: 'p\n', userKey: 'username_v6', passwordKey: 'password_v6' },
    ])
    expect(orphanKeys).toEqual(['username_lost', 'other'])
  })
})

describe('hygiene', () => {
  it.each([
    'svc@vsphere.local',
    'svc+x@dom',
    'DOM_X\\user',
    'user@dom_x',
    'CORP.EXAMPLE\\svc-1',
    'ümlaut@dom',
    'user@sub@dom',
    'CORP\\user@host',
  ])('finds nothing wrong with the user %s', (user) => {
    expect(credentialHygiene(pair(user), { servers: ['vc.example.com'] })).toEqual([])
  })

  const user = 'vc.example.com.username'
  const password = 'vc.example.com.password'
  it.each<[string, SecretData, string[]]>([
    ['a user without domain', pair('svc'), [`no-domain ${user}`]],
    ['a domain without user', pair('@corp'), [`no-domain ${user}`]],
    ['a line break', pair('u@d\n', 's3cret\r\n'), [`line-break ${user}`, `line-break ${password}`]],
    ['blanks', pair(' u@d', 's3cret '), [`blanks ${user}`, `blanks ${password}`]],
    ['a byte order mark', { ...pair('u@d'), [password]: Buffer.from('\ufeffs3cret') }, [`blanks ${password}`]],
    ['one before a line break', pair('u@d', '\ufeffs3cret\r\n'), [`blanks ${password}`, `line-break ${password}`]],
    ['an empty user', pair(''), [`missing-user ${user}`]],
    ['an empty pair', pair('', ''), [`missing-pair ${user}`]],
    ['an empty user alone', { [user]: '' }, [`missing-user ${user}`, `missing-password ${password}`]],
    ['a missing password', { [user]: 'u@d' }, [`missing-password ${password}`]],
    ['an orphan', { ...pair('u@d'), passwort: 's3cret' }, ['orphan-key passwort']],
    ['a server without credentials', {}, [`missing-pair ${user}`]],
    [
      'a server in other letters',
      { 'VC.example.com.username': 'u@d', 'VC.example.com.password': 's3cret' },
      ['other-case VC.example.com.username'],
    ],
    ['bytes that are no text', { [user]: 'u@d', [password]: new Uint8Array([0x61, 0xff]) }, [`not-utf8 ${password}`]],
    ['a certificate', pair('-----BEGIN CERTIFICATE-----\nx\n', '-----BEGIN KEY-----\ns3cret\n'), []],
  ])('finds %s', (_, data, expected) => {
    const findings = credentialHygiene(data, { servers: ['vc.example.com'] })
    expect(findings.map(({ kind, key }) => `${kind} ${key}`)).toEqual(expected)
    expect(JSON.stringify(findings)).not.toContain('s3cret')
  })

  it.each([
    ['the user', ['vc.x'], 'VC.x.password', 'vc.x.password'],
    ['the password', ['VC.x'], 'vc.x.username', 'VC.x.username'],
    ['the user, where none is wanted', [], 'VC.x.password', 'vc.x.password'],
  ])('tells a login in two halves once, and goes by %s', (_, servers, key, name) => {
    const findings = credentialHygiene({ 'vc.x.username': 'u@d', 'VC.x.password': 's3cret' }, { servers })
    expect(findings).toMatchObject([
      { kind: 'other-case', key, message: expect.stringMatching(`rename the key to ${name}$`) },
    ])
  })

  it('tells two halves that are no pair apart', () => {
    const findings = credentialHygiene({ 'a.username': 'u@d', 'b.password': 's3cret', 'b.username': '' })
    expect(findings.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      'missing-password a.password',
      'missing-user b.username',
    ])
  })

  it('of an address that no key can hold names the other form', () => {
    expect(
      credentialHygiene({ server_1: 'a', username_1: 'u@d', password_1: 'p' }, { servers: ['2001:db8::1'] }),
    ).toEqual([
      {
        kind: 'missing-pair',
        key: 'server_2',
        server: '2001:db8::1',
        message:
          'the secret has no credentials for vCenter 2001:db8::1; no key can hold that name, so add server_2 with the name, username_2 and password_2',
      },
    ])
  })

  const numbered = { server_2: 'b.x\n', username_2: 'u@d', password_2: 'p' }
  it.each<[string, SecretData, HygieneOptions, string[]]>([
    ['a line break in the name', numbered, { servers: ['b.x'] }, ['line-break-in-server server_2']],
    ['a blank in the name', { ...numbered, server_2: 'b.x ' }, { servers: ['b.x'] }, ['blanks-around-server server_2']],
    [
      'the other form on OpenShift',
      { ...numbered, server_2: 'b' },
      { isForOpenShift: true },
      ['numbered-form server_2'],
    ],
    ['a login of no vCenter', pair('u@d'), { known: ['vc'] }, ['unused-login vc.example.com.username']],
    ['a login in other letters', pair('u@d'), { known: ['VC.example.com'] }, []],
  ])('finds %s', (_, data, options, expected) => {
    expect(credentialHygiene(data, options).map(({ kind, key }) => `${kind} ${key}`)).toEqual(expected)
  })

  it('says where, what and how', () => {
    expect(credentialHygiene(pair('svc', '\ufeffx\n')).map(({ message }) => message)).toEqual([
      'vc.example.com.password begins with a byte order mark, which counts and cannot be seen; write it again without',
      'vc.example.com.password holds a line break; write it again without one, for instance with printf instead of echo',
      'vc.example.com.username has no domain; write it as name@domain or DOMAIN\\name',
    ])
  })

  it('never tells a value', () => {
    const value = fc.string({ unit: 'binary', minLength: 12 })
    fc.assert(
      fc.property(value, value, (name, secret) => {
        const told = JSON.stringify(credentialHygiene({ 'a.username': name, 'a.password': secret, 'x_y': secret }))
        expect(told).not.toContain(JSON.stringify(name).slice(1, -1))
        expect(told).not.toContain(JSON.stringify(secret).slice(1, -1))
      }),
    )
  })
})
