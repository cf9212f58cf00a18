import type { Command } from 'commander'
import type { Io } from '../io.ts'
export function addRenderCommand(_config: Command, _io: Io): void {}
