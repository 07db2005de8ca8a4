import { isBuiltin } from 'node:module';
import { codeOf, packageOf, type Import, type SourceFile } from './source-file.ts';

/** Which files import what they must not, as `file → target`. */
export function crossing(files: readonly SourceFile[], isForbidden: (one: Import) => boolean): string[] {
  return files.flatMap(({ path, imports }) => imports.filter(isForbidden).map(({ target }) => `${path} → ${target}`));
}

/** Which lines of code match, as `file:line text`; comments do not count. */
export function matching(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const code = line.replace(/^\s*(\*|\/\*|\/\/).*$/, '').replace(/\s\/\/ .*$/, '');
      return pattern.test(code) ? [`${path}:${index + 1} ${line.trim()}`] : [];
    }),
  );
}

export function isIn(folder: string): (one: Import) => boolean {
  return (one) => one.isRelative && one.target.startsWith(`${folder}/`);
}

export function isPackage(pattern: RegExp): (one: Import) => boolean {
  return (one) => !one.isRelative && pattern.test(packageOf(one.target));
}

/** From the domain's side: everything. */
export function isAround(one: Import): boolean {
  return ['api', 'workflows', 'activities', 'ops', 'test'].some((folder) => isIn(folder)(one));
}

/** From a workflow's side: whatever has effects, or would differ when its history is replayed. */
export function isOtherSideOfWorkflow(one: Import): boolean {
  const effects = isIn('domain/store')(one) || isIn('api')(one) || isIn('ops')(one) || isIn('test')(one);
  return effects || (isIn('activities')(one) && !one.isType) || (!one.isRelative && isBuiltin(one.target));
}

/** From the API's side: the code of workflows and activities; their messages and types are shared. */
export function isOtherSideOfApi(one: Import): boolean {
  if (one.isType || one.target === 'workflows/messages.ts') return false;
  return isIn('activities')(one) || isIn('workflows')(one);
}

/** True for a file that declares nothing of its own and only exports what others declare. */
export function passesOn(file: SourceFile): boolean {
  const code = codeOf(file);
  const own = code.replaceAll(/^import\s[^;]*;/gm, '').replaceAll(/^export\s+(type\s+)?(\*|\{[^}]*\})[^;]*;/gm, '');
  return /^export\s/m.test(code) && own.trim() === '';
}
