import { Gauge, Registry } from 'prom-client'
import type { Metrics } from '../outputs/metrics.ts'

const prefix = 'vsphere_problem_detector_'

const helps = {
  config_last_reload_successful: 'Whether the settings file could be used when it was last looked at.',
  config_last_reload_success_timestamp_seconds: 'When settings were last taken from the file.',
  http_certificate_last_reload_successful: 'Whether the serving certificate could be used when it was last looked at.',
  http_certificate_expiry_timestamp_seconds: 'When the serving certificate expires.',
  is_leader: 'Whether this replica is the one that works.',
} as const

export type DaemonGauge = keyof typeof helps

/** The `/metrics` page of a daemon: what rounds showed, and how the daemon itself is. */
export class DaemonMetrics implements Pick<Metrics, 'contentType' | 'page'> {
  readonly #ofRounds: () => Pick<Metrics, 'contentType' | 'page'>
  readonly #registry = new Registry()
  readonly #gauges = new Map<DaemonGauge, Gauge>()

  /** What rounds showed is taken from whoever runs them at the moment. */
  constructor(ofRounds: () => Pick<Metrics, 'contentType' | 'page'>) {
    this.#ofRounds = ofRounds
  }

  /** A gauge is there from its first value on: what the daemon does not do has no series. */
  set(name: DaemonGauge, value: number | boolean | Date): void {
    const number = value instanceof Date ? value.getTime() / 1000 : Number(value)
    this.#gaugeOf(name).set(number)
  }

  get contentType(): string {
    return this.#ofRounds().contentType
  }

  async page(): Promise<string> {
    return (await this.#ofRounds().page()) + (await this.#registry.metrics())
  }

  #gaugeOf(name: DaemonGauge): Gauge {
    const known = this.#gauges.get(name)
    if (known !== undefined) return known
    const gauge = new Gauge({ name: prefix + name, help: helps[name], registers: [this.#registry] })
    this.#gauges.set(name, gauge)
    return gauge
  }
}

/** Names that no check may use. */
export const daemonMetricNames: readonly string[] = Object.keys(helps).map((name) => prefix + name)
