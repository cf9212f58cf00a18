import { describe, expect, it } from 'vitest'
import { proxyFor } from '../../src/net/proxy.ts'

describe('the proxy for a vCenter', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['none by default', {}, undefined],
    ['HTTPS_PROXY', { HTTPS_PROXY: 'http://p:3128' }, 'p:3128'],
    ['the lower-case name first', { https_proxy: 'http://q:1', HTTPS_PROXY: 'http://p:1' }, 'q:1'],
    ['no scheme needed', { HTTPS_PROXY: 'p:3128' }, 'p:3128'],
    ['ALL_PROXY where there is no other', { ALL_PROXY: 'http://p:3128' }, 'p:3128'],
    ['HTTP_PROXY is for plain HTTP', { HTTP_PROXY: 'http://p:3128' }, undefined],
    ['an empty one is none', { HTTPS_PROXY: '' }, undefined],
    ['not for an exempt name', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a,vc.example.com' }, undefined],
    ['not for an exempt domain', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example.com' }, undefined],
    ['not for an exempt domain without a dot', { HTTPS_PROXY: 'http://p:1', no_proxy: 'example.com' }, undefined],
    ['not for an exempt wildcard domain', { HTTPS_PROXY: 'http://p:1', no_proxy: '*.Example.com' }, undefined],
    ['not for anybody', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
    ['not for an exempt port', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'vc.example.com:443' }, undefined],
    ['for another port', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'vc.example.com:8443' }, 'p:1'],
    ['for a name that only ends alike', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample.com' }, 'p:1'],
  ])('%s', (_, environment, expected) => {
    expect(proxyFor('vc.example.com', 443, environment)?.host).toBe(expected)
  })

  it.each([
    ['fd00::1', 'fd00::1'],
    ['[fd00::1]', 'fd00::1'],
    ['[fd00::1]:443', 'fd00::1'],
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.0/24', '192.0.2.7'],
    ['fd00::/127', 'fd00::1'],
  ])('is not used for the exempt address %s', (entry, host) => {
    expect(proxyFor(host, 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: entry })).toBeUndefined()
    expect(proxyFor('fd00::2', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: entry })).toBeDefined()
  })

  it.each([
    ['HTTPS_PROXY', 'http://user:s3%zzcret@p:3128', /^HTTPS_PROXY is no address such as http:/],
    ['https_proxy', 'http://user:s3cret/x#y@p:3128', /^https_proxy is no address/],
    ['HTTPS_PROXY', 'http://user:1234/s3cret@p:3128', /^HTTPS_PROXY is no address/],
    ['HTTPS_PROXY', 'http://user:1234#s3cret@p:3128', /^HTTPS_PROXY is no address/],
    ['ALL_PROXY', 'http://us er:s3cret@p:99999', /^ALL_PROXY is no address.*percent-encoded$/],
    ['ALL_PROXY', 'socks5://user:s3cret@p:1080', /^ALL_PROXY must begin with http:\/\/ or https:\/\/;.*SOCKS/],
    ['HTTPS_PROXY', 's3cret://p', /^HTTPS_PROXY must begin with/],
  ])('is named, and nothing of it shown, where it makes no sense: %s=%s', (variable, value, message) => {
    const use = () => proxyFor('vc.example.com', 443, { [variable]: value })
    expect(use).toThrow(message)
    expect(use).not.toThrow(/s3/)
  })

  it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('is not used for %s', (host) => {
    expect(proxyFor(host, 443, { HTTPS_PROXY: 'http://p:1' })).toBeUndefined()
  })

  it.each(['192.0.3.0/24', '192.0.2.7/99', '192.0.2.7/x', 'fd00::/8', '/', '[', ':443'])(
    'is used although NO_PROXY has %s',
    (entry) => {
      expect(proxyFor('192.0.2.7', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: entry })).toBeDefined()
    },
  )
})
