import { describe, expect, it } from 'vitest'
import { client, endpointOf, failure, never, plan, simulate, uuids } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }
const open = '<E xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Body>'
const close = '</Body></E>'

/** A vCenter without VI JSON that answers everything in SOAP with this. */
async function answering(status: number, body: string) {
  const simulator = await simulate(1)
  simulator.fail({ match: 'GET /sdk/vim25/', status: 404 })
  simulator.fail({ match: 'POST /sdk', status, body, headers: { 'content-type': 'text/xml' } })
  return failure(client(endpointOf(simulator)).read(request, never()))
}

describe('a SOAP answer', () => {
  it.each<[string, number, string, string, string]>([
    [
      'a page',
      200,
      '<html><br></html>',
      'malformed-answer',
      'sent HTTP 200 to RetrieveServiceContent with "<html><br></html>".',
    ],
    [
      'cut short',
      200,
      `${open}<Retr`,
      'malformed-answer',
      `sent HTTP 200 to RetrieveServiceContent with "${open}<Retr".`,
    ],
    ['empty', 200, '', 'malformed-answer', 'sent HTTP 200 to RetrieveServiceContent with nothing.'],
    ['JSON', 500, '{"a":1}', 'malformed-answer', 'sent HTTP 500 to RetrieveServiceContent with "{"a":1}".'],
    [
      'a document type',
      200,
      '<!DOCTYPE x><x/>',
      'malformed-answer',
      'sent HTTP 200 to RetrieveServiceContent with "<!DOCTYPE x><x/>".',
    ],
    [
      'another answer',
      200,
      '<E><Body><OtherResponse/></Body></E>',
      'malformed-answer',
      'sent HTTP 200 to RetrieveServiceContent with "<E><Body><OtherResponse/></Body></E>".',
    ],
    [
      'of another shape',
      200,
      `${open}<RetrieveServiceContentResponse><returnval>7</returnval></RetrieveServiceContentResponse>${close}`,
      'malformed-answer',
      'sent a service content that is not an object.',
    ],
    [
      'a fault without detail',
      500,
      `${open}<Fault><faultstring>Oops</faultstring></Fault>${close}`,
      'malformed-answer',
      'sent a fault without detail to RetrieveServiceContent: "Oops".',
    ],
    [
      'a fault',
      500,
      `${open}<Fault><faultstring>Bad.</faultstring><detail><SystemErrorFault xsi:type="SystemError"><reason>r</reason></SystemErrorFault></detail></Fault>${close}`,
      'fault',
      'did not answer RetrieveServiceContent: fault SystemError: Bad.',
    ],
    [
      'a fault with a type like its element',
      500,
      `${open}<Fault><detail><NoPermissionFault xsi:type="NoPermissionFault"><privilegeId>System.View</privilegeId></NoPermissionFault></detail></Fault>${close}`,
      'no-permission',
      'did not answer RetrieveServiceContent: no permission (System.View is missing).',
    ],
    [
      'a fault without a type',
      500,
      `${open}<Fault><detail><NoPermissionFault/></detail></Fault>${close}`,
      'no-permission',
      'did not answer RetrieveServiceContent: no permission.',
    ],
    ['not there', 404, 'not found', 'unsupported-version', 'has neither VI JSON nor SOAP: is it a vCenter?'],
    [
      'a demand for a session',
      401,
      '',
      'malformed-answer',
      'asks for a session too early: RetrieveServiceContent needs a session.',
    ],
    ['forbidden', 403, '', 'no-permission', 'does not permit RetrieveServiceContent (HTTP 403).'],
  ])('that is %s is said as such', async (_, status, body, kind, message) => {
    expect(await answering(status, body)).toEqual({
      name: 'VSphereError',
      kind,
      message: `vCenter vc.example.com ${message}`,
    })
  })
})
