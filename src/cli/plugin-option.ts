import { Option } from 'commander'

/** `--plugin`, once for each module: were it to take several, it would also take the files that follow it. */
export function pluginOption(): Option {
  return new Option(
    '--plugin <module>',
    'load checks from a package or file, instead of the plugins of the configuration file; may be given repeatedly',
  ).argParser((module, before: readonly string[] = []) => [...before, module])
}
