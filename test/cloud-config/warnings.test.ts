import { expect, it } from 'vitest'
import { readCloudConfig } from '../../src/cloud-config/index.ts'

const hidden =
  'OpenShift does not treat the file as a legacy configuration and does not see its [Workspace]; declare the failure domains in the Infrastructure object'

const INI = '[Global]\nuser = u\npassword = p\n[VirtualCenter "v"]\n'
const YAML = 'global: {user: u, password: p}\nvcenter:\n  v:\n    server: v\n'
const SECRET = '[Global]\nsecret-name = a\nsecret-namespace = b\n'

it.each([
  ['nothing', INI, []],
  ['a legacy file', `${INI}[Workspace]\nserver = v\n[Labels]\nzone = z\nregion = r\n`, []],
  ['other parts of the same file', `${INI}[Nodes]\ninternal-vm-network-name = n\n[NSXT]\nhost = h\n`, []],
  ['an unknown key', `${INI}colour = blue\n`, ['5:1 the key "colour" of [VirtualCenter] is unknown and ignored']],
  ['a word that may be half a password', `${INI}s3cret\n`, ['5:1 a word without "=" in [VirtualCenter] is ignored']],
  [
    'a slip',
    `${INI}datacentres = a\n`,
    ['5:1 the key "datacentres" of [VirtualCenter] is unknown and ignored; did you mean datacenters?'],
  ],
  [
    'the YAML spelling',
    `${INI}caFile = a\n`,
    ['5:1 the key "caFile" of [VirtualCenter] is unknown and ignored; did you mean ca-file?'],
  ],
  [
    'an unknown section',
    `${INI}[vCenter "x"]\n`,
    ['5:1 the section [vCenter] is unknown and ignored; did you mean [VirtualCenter]?'],
  ],
  [
    'a name that does not belong',
    `${INI}[Labels "x"]\nzone = z\n`,
    ['5:1 [Labels] takes no quoted name; with one the whole section is ignored'],
  ],
  [
    'singular datacenter',
    `[Global]\ndatacenter = a\n${INI}`,
    [
      '2:1 the key "datacenter" is ignored; write datacenters, otherwise all datacenters of the vCenter count',
      '3:1 the section [Global] is given twice; both are merged, later keys win',
    ],
  ],
  [
    'an old key',
    `[Global]\nvm-uuid = a\n[VirtualCenter "v"]\nuser = u\npassword = p\n`,
    ['2:1 vm-uuid is ignored; only the cloud provider built into old kubelets read it'],
  ],
  [
    'an old section',
    `${INI}[Disk]\nscsicontrollertype = pvscsi\n`,
    ['5:1 [Disk] is ignored; only the cloud provider built into old kubelets read it'],
  ],
  ['a repeated key', `${INI}port = 1\nport = 2\n`, ['6:1 port is given twice in this section; the later value counts']],
  ...['pa#ss', '#pass', '"pa"s#s', '=;x'].map((value): [string, string, string[]] => [
    `a value that is cut: ${value}`,
    `${SECRET}[VirtualCenter "v"]\npassword = ${value}\n`,
    [
      `5:${12 + value.search(/[#;]/)} the value of password ends here, because # and ; begin a comment; put it in double quotes if more belongs to it`,
    ],
  ]),
  ...['pa # ss', '"pa#ss"', '"pa"# ss', 'pa;', 'pa# ', '# none', ';'].map((value): [string, string, string[]] => [
    `a value that is whole: ${value}`,
    `${SECRET}[VirtualCenter "v"]\npassword = ${value}\n`,
    [],
  ]),
  ['a port in words', `${INI}port = https\n`, ['5:8 the port "https" is not a number; write digits such as 443']],
  ['a port out of range', `${INI}port = 70000\n`, ['5:8 the port "70000" is not between 1 and 65535']],
  [
    'a name that is not the server',
    `${INI}server = w\n`,
    [
      '5:10 the entry "v" has another server, "w"; on OpenShift give both the same text, because it compares by the name of the entry',
    ],
  ],
  [
    'a URL',
    `${INI}[VirtualCenter "https://x/sdk"]\n`,
    ['5:1 the server "https://x/sdk" is not an address; write the host name without scheme and path'],
  ],
  [
    'a port in the server',
    `${INI}[VirtualCenter "x:8443"]\n`,
    ['5:1 the server "x:8443" holds a port, which is not split off; use the port setting'],
  ],
  ['brackets', `${INI}[VirtualCenter "[::1]"]\n`, ['5:1 the server "[::1]" must be written without brackets']],
  [
    'secret and directory',
    `${SECRET}secrets-directory = /d\nuser = u\npassword = p\n[VirtualCenter "v"]\n`,
    ['4:21 a secrets directory and a secret are both set, and then neither counts; keep one of them'],
  ],
  [
    'half a secret',
    `${INI}secret-name = a\n`,
    ['5:15 the secret of vCenter "v" needs both name and namespace; with one of them it counts as none'],
  ],
  [
    'half a global secret',
    `[Global]\nsecret-namespace = a\nuser = u\npassword = p\n[VirtualCenter "v"]\n`,
    ['2:20 the global secret needs both name and namespace; with one of them it counts as none'],
  ],
  [
    'one label',
    `${INI}[Labels]\nregion = r\n`,
    ['6:10 the label region has no effect without zone; set both or neither'],
  ],
  [
    'insecure again',
    `[Global]\nuser = u\npassword = p\ninsecure-flag\n[VirtualCenter "v"]\ninsecure-flag = no\n`,
    ['6:17 a vCenter cannot switch certificate checks on again while the global part switches them off'],
  ],
  [
    'a workspace that is lost',
    `${INI}[Workspace]\nserver = v\n[Global]\nip-family = ipv4\n`,
    [
      '7:1 the section [Global] is given twice; both are merged, later keys win',
      `8:1 because of "ip-family" in [Global], ${hidden}`,
    ],
  ],
  [
    'a workspace that a whole section hides',
    `${INI}[Workspace]\nserver = v\n[Nodes]\ninternal-network-subnet-cidr = 10.0.0.0/8\n`,
    [`7:1 because of the section [Nodes], ${hidden}`],
  ],
  [
    'a workspace that a switch without a value hides',
    `${INI}insecure-flag\n[Workspace]\nserver = v\n`,
    [`5:1 because of "insecure-flag" in [VirtualCenter], ${hidden}`],
  ],
  [
    'a workspace that a stray word hides, which may be a part of a password',
    `${INI}[Workspace]\nserver = v\nsecret\n`,
    ['7:1 a word without "=" in [Workspace] is ignored; it also hides [Workspace] from OpenShift'],
  ],
  [
    'a workspace that a misspelt key hides',
    `${INI}[Workspace]\nserver = v\n[Global]\ninsecure-flg = 1\n`,
    [
      '7:1 the section [Global] is given twice; both are merged, later keys win',
      '8:1 the key "insecure-flg" of [Global] is unknown and ignored; did you mean insecure-flag? It also hides [Workspace] from OpenShift',
    ],
  ],
  [
    'a workspace that a value hides',
    `${INI}[Workspace]\nserver = v\n[Disk]\n[Global]\nsecret-not-managed = perhaps\n`,
    [
      '7:1 [Disk] is ignored; only the cloud provider built into old kubelets read it',
      '8:1 the section [Global] is given twice; both are merged, later keys win',
      '9:1 secret-not-managed is ignored; only the cloud provider built into old kubelets read it',
      `9:22 because the value of "secret-not-managed" is not one of true, yes, on, 1, false, no, off, 0, ${hidden}`,
    ],
  ],
  [
    'one server in two entries',
    '[Global]\nuser = u\npassword = p\nserver = V\n[VirtualCenter "v"]\n',
    ['4:10 the vCenter "V" is given twice, in the entries "v" and "V", which count as two'],
  ],
  [
    'one server in two entries of YAML, and one secret',
    'global: {secretName: s, secretNamespace: n, server: v}\nvcenter:\n  w: {server: v}\n',
    [
      '1:53 the vCenter "v" is given twice, in the entries "w" and "v", which count as two',
      '3:15 the entry "w" has another server, "v"; on OpenShift give both the same text, because it compares by the name of the entry',
    ],
  ],
  [
    'neither two ports of one server nor two tenants of it',
    'global: {user: u, password: p}\nvcenter:\n  v: {server: v}\n  V: {server: V, port: 8443}\n  w: &w {server: w, user: t}\n  W: {server: W}\n',
    [],
  ],
  [
    'a YAML key in INI spelling',
    `${YAML}    ca-file: x\n`,
    ['5:5 the key "ca-file" is unknown and ignored; did you mean caFile?'],
  ],
  [
    'a YAML key in other case',
    `${YAML}Labels: {}\n`,
    ['5:1 the key "Labels" is unknown and ignored; did you mean labels?'],
  ],
  [
    'an INI section as YAML key',
    `${YAML}VirtualCenter: {}\n`,
    ['5:1 the key "VirtualCenter" is unknown and ignored; did you mean vcenter?'],
  ],
  [
    'singular datacenter in YAML',
    `${YAML}    datacenter: x\n`,
    [
      '5:5 the key "datacenter" is ignored; write datacenters: with a list, otherwise all datacenters of the vCenter count',
    ],
  ],
  ['an octal port', `${YAML}    port: 0443\n`, ['5:11 port "0443" is read as 291; write 291 if that is meant']],
  [
    'a repeated vCenter',
    `${YAML}  v: {server: v}\n`,
    ['5:3 the vCenter "v" is given twice; this entry replaces the earlier one entirely'],
  ],
  [
    'a part given twice',
    `${YAML}global: {insecureFlag: true}\n`,
    ['5:1 global is given twice; both count, and where they disagree the later one'],
  ],
  [
    'a login in the address of a vCenter',
    `${YAML}  w: {server: "https://admin:S3CRET@w/sdk"}\n`,
    [
      '5:15 the entry "w" has another server, "https://…@w/sdk"; on OpenShift give both the same text, because it compares by the name of the entry',
      '5:15 the server "https://…@w/sdk" is not an address; write the host name without scheme and path',
    ],
  ],
  [
    'a second document',
    `${YAML}---\nlabels: {}\n`,
    ['5:1 everything from here on is never read; only the first document is'],
  ],
  [
    'text after the braces',
    '{global: {user: u, password: p}, vcenter: {v: {server: v}}}\nmore\n',
    ['2:1 everything from here on is never read; only the first document is'],
  ],
  [
    'nodes of a wrong type',
    `${YAML}nodes: {internalVmNetworkName: [a]}\n`,
    ['5:32 the cloud controller manager refuses the file because internalVmNetworkName must be text, not a list'],
  ],
  [
    'nodes without a value',
    `${INI}[Nodes]\ninternal-vm-network-name\n`,
    [
      '6:1 the cloud controller manager refuses the file because the key "internal-vm-network-name" needs "=" and a value',
    ],
  ],
  [
    'an IP family in capitals',
    `${INI}ip-family = IPv4\n`,
    ['5:13 an IP family is kept as written, blanks and capitals included; write ipv4 and ipv6 exactly so'],
  ],
  [
    'secretref',
    `${YAML}    secretref: x\n`,
    ['5:16 secretref is set by the cloud provider itself and counts only by accident; use secret name and namespace'],
  ],
  ['keys that hold anchors', `x-a: &a {port: 443}\n${YAML}    <<: *a\n`, []],
])('warns of %s', (_, text, warnings) => {
  expect(readCloudConfig(text).warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(
    warnings,
  )
})
