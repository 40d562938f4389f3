/** Programs that are proven unless their arguments name another program, load code, or write where none would look for it. */

export interface ProgramRule {
  /** The first argument must match, where there is one: subcommands that are known to run nothing that arguments name. */
  first?: RegExp;
  /** No argument may match. GNU programs take any unambiguous beginning of a long option. */
  never?: RegExp;
  /** Every argument that begins with `-` must match: for programs with too many options that load code. */
  only?: RegExp;
  /** Such an argument makes the program write or delete what it otherwise only reads: no wildcard of a rule stands for it. */
  writes?: RegExp;
  /** Subcommands that install: a package in a folder brings scripts of its own, and what is installed for all lies outside. */
  installs?: RegExp;
  /** Its short options never stand together in one word: `-Iinclude` is one option. */
  unclustered?: true;
}

const tar: ProgramRule = { first: /^-?[cxtvzjJfprku]+$|^--(?:create|extract|list)$/, never: /^-(?!C$|[cxtvzjJfprku]+$|$)|:/ };
const make: ProgramRule = { never: /^(?:-[A-Za-z]*[fCIE]|--(?:ev|f|m|di|inc)|.*=)/ };
const compiler: ProgramRule = {
  unclustered: true,
  never: /^(?:-wrapper|-B|--?specs|@|-f(?:pass-)?plugin|-fuse-ld|-Wl|-Xlinker|-Xassembler|-Xclang|-load|-mllvm|-ccc|-iplugin|--config|--ld-path|--prefix|--gcc-)/,
};
/** A package named by a path brings scripts of its own. */
const apt: ProgramRule = { never: /^(?:-[A-Za-z]*[oc]|--o|--c)|\// };
const configured: ProgramRule = { never: /^(?:-c|--?config|--plugin)/ };
const jest: ProgramRule = {
  only: /^(?:-[iotuw]|--(?:runInBand|onlyChanged|testNamePattern|testPathPatterns?|updateSnapshot|maxWorkers|watch|watchAll|coverage|silent|verbose|bail|ci|json|listTests|findRelatedTests|lastCommit|passWithNoTests|no-cache|detectOpenHandles|forceExit|testTimeout|colors?|no-colors?|logHeapUsage|errorOnDeprecated|expand|shard)(?:=.*)?)$/,
};
const vitest: ProgramRule = {
  only: /^(?:-[tuw]|--(?:run|watch|testNamePattern|update|coverage|silent|bail|passWithNoTests|changed|shard|testTimeout|hideSkippedTests|no-color|allowOnly|retry)(?:=.*)?|--(?:no-)?(?:watch|coverage|color|file-parallelism)(?:=(?:true|false))?|--reporter=(?:default|verbose|dot|json|junit|tap))$/,
};
const webpack: ProgramRule = { never: /!/, only: /^(?:-w|--(?:watch|progress|stats|mode)(?:=.*)?)$/ };
const pytest: ProgramRule = { never: /^(?:-p|-c|--rootdir|--confcutdir|--import|-o|--override|--pdbcls|--config)/ };
const plugins: ProgramRule = { never: /^(?:--?plugin|@)/ };

/** Programs that are proven unless their arguments name another program or load code. */
export const programRules: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ['find', { never: /^-(?:exec|ok)/, writes: /^-(?:delete|f(?:print|ls))/ }],
  ['fd', { never: /^(?:-[A-Za-z]*[xX]|--exec)/ }],
  ['fdfind', { never: /^(?:-[A-Za-z]*[xX]|--exec)/ }],
  ['rg', { never: /^(?:--pre|--hostname-bin|--search-zip|-[A-Za-z]*z)/ }],
  ['bat', { never: /^--pager/ }],
  ['batcat', { never: /^--pager/ }],
  ['sort', { never: /^--c(?:o|$)/, writes: /^(?:-[A-Za-z]*o|--o)/ }],
  ['tree', { writes: /^-[A-Za-z]*o|^--o/ }],
  ['file', { writes: /^(?:-[A-Za-z]*C|--c)/ }],
  ['date', { writes: /^(?:-[A-Za-z]*s|--s)/ }],
  ['split', { never: /^--f/ }],
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  ['cpio', { never: /^--r|:/ }],
  ['zip', { never: /^-(?:[A-Za-z]*T|-u)/ }],
  ['patch', { never: /^-[A-Za-z]*[ge]|^--(?:g|e)/ }],
  ['install', { never: /^--st/ }],
  ['diff', { never: /^(?:-[A-Za-z]*l|--p)/ }],
  ['diff3', { never: /^--d/ }],
  ['sdiff', { never: /^--d/ }],
  ['curl', { never: /^(?:-[A-Za-z]*K|--co(?:n|$)|--e(?:n|$))/ }],
  ['wget', { never: /^(?:-[A-Za-z]*e|--e|--use-a|--config)/ }],
  ['ip', { never: /^(?:netn?s?|vrf?|e|ex|exec?|--?b(?!r).*)$/ }],
  ['iptables', { never: /^(?:-M|--modp)/ }],
  ['ip6tables', { never: /^(?:-M|--modp)/ }],
  ['ssh-keygen', { never: /^-[A-Za-z]*[Dw]/ }],
  ['pandoc', { never: /^(?:-[A-Za-z]*[FLd]|--(?:fi|lua|pdf|def|tr))|\.lua/ }],
  ['make', make],
  ['ctest', { never: /^-(?:S|D|M|T)|^--(?:sc|bu|test-|dash)/ }],
  ['gmake', make],
  ['cmake', { only: /^(?:-[SBG].*|-DCMAKE_BUILD_TYPE=\w+|-DBUILD_\w+=\w+|--fresh|--log-level=\w+)$/ }],
  ['meson', { first: /^(?:setup|compile|test|configure)$/, never: /^--(?:wrap|gdb|[a-z-]*file|[a-z-]*args)/ }],
  ['ninja', { never: /^-[A-Za-z]*[fCt]/ }],
  ['gcc', compiler],
  ['g++', compiler],
  ['cc', compiler],
  ['gfortran', compiler],
  ['cpp', compiler],
  ['c89', compiler],
  ['c99', compiler],
  ['c++', compiler],
  ['clang', compiler],
  ['clang++', compiler],
  ['rustc', { never: /^(?:-C|--codegen|-Z|@)|linker/ }],
  ['javac', { never: /^(?:-J|@)|processor|plugin/i }],
  ['ld', plugins],
  ['ar', plugins],
  ['gold', plugins],
  ['nm', plugins],
  ['ranlib', plugins],
  ['strip', plugins],
  ['objdump', plugins],
  ['objcopy', plugins],
  ['gcc-ar', plugins],
  ['gcc-nm', plugins],
  ['mvn', { never: /:.*:|exec|^-(?:f|P|s|gs|t)|^--(?:f|ac|se|gl|to)|^-D(?!skipTests|test=|maven\.test\.skip)/ }],
  ['gradle', { never: /^(?:-[IbpcDP]|--(?:init|build-file|project|settings))/ }],
  ['gradlew', { never: /^(?:-[IbpcDP]|--(?:init|build-file|project|settings))/ }],
  ['go', { first: /^(?:build|test|vet|fmt|mod|list|version|doc|get|clean|install|work)$/, never: /^--?(?:exec|toolexec|vettool|overlay|modfile)\b|^-C|ldflags|gccgoflags|compiler/ }],
  ['cargo', { first: /^(?:build|b|check|c|test|t|run|r|bench|doc|fmt|clippy|clean|update|tree|metadata|new|init|add|remove|search|fetch)$/, never: /^(?:--config|-[A-Za-z]*Z|\+)/ }],
  ['dotnet', { first: /^(?:build|test|restore|clean|publish|format|run|add|remove|list|new|pack|--info)$/ }],
  [
    'npm',
    {
      installs: /^(?:install|i|ci|add|link|update|up|uninstall|remove|rm)$/,
      first: /^(?:install|i|ci|add|test|t|run|run-script|start|stop|restart|ls|list|outdated|audit|view|info|why|explain|version|pack|publish|whoami|fund|prune|dedupe|update|up|uninstall|remove|rm|link|ping|search|root)$/,
      never: /^--?(?:sc|no(?!-)|sh|ed|gi|vi|pref|us|globalc|cal?$|cal?=|call|c$|c=|C|ini|onl)/,
    },
  ],
  [
    'pnpm',
    {
      installs: /^(?:install|i|add|link|update|up|remove|rm)$/,
      first: /^(?:install|i|add|test|t|run|start|ls|list|outdated|audit|why|pack|publish|prune|dedupe|update|up|remove|rm|link|root|build|lint|-r|--recursive)$/,
      never: /^(?:exec|x|dlx|create|init|env|config|set)$|^--?(?:scr|shell|node|config|dir|pref|c$|C)/,
    },
  ],
  ['yarn', { installs: /^(?:install|add|upgrade|global)$/, first: /^(?:install|add|remove|upgrade|outdated|list|info|why|audit|pack|version|test|build|lint|start|dev|format|check|typecheck)$/, never: /^--?(?:scr|cwd|use-yarnrc|node)/ }],
  ['composer', { first: /^(?:install|update|require|remove|show|validate|dump-autoload|test)$/ }],
  ['pip', { installs: /^(?:install|download|wheel)$/, first: /^(?:list|show|freeze|check|install|uninstall|download|cache|debug)$/, never: /^--py/ }],
  ['pip3', { installs: /^(?:install|download|wheel)$/, first: /^(?:list|show|freeze|check|install|uninstall|download|cache|debug)$/, never: /^--py/ }],
  ['gh', { first: /^(?:pr|issue|repo|run|workflow|release|search|status|label|gist)$/, never: /^--$/ }],
  ['coverage', { first: /^(?:report|html|xml|json|erase|combine)$/, never: /^--rc/ }],
  ['pylint', { never: /^--(?:init|load|rc|plugin)/ }],
  ['pyright', { never: /^(?:-p|--p)/ }],
  ['pytest', pytest],
  ['py.test', pytest],
  ['phpunit', { never: /^(?:-c|--(?:bootstrap|configuration|extension|loader|printer))/ }],
  ['phpstan', { never: /^(?:-[ac]|--(?:autoload|configuration))/ }],
  ['rspec', { never: /^(?:-[rIO]|--(?:require|options|format)|-f\W)/ }],
  ['rubocop', { never: /^(?:-[rcf]|--(?:require|config|format|plugin))/ }],
  ['mypy', { never: /^--(?:py.*-e|config|custom|plugin)/ }],
  ['flake8', { never: /^(?:-c|--?config|--plugin|--append|--require|--enable)/ }],
  ['jest', jest],
  ['vitest', vitest],
  ['eslint', { never: /^(?:-c|--config|--plugin|--rulesdir|--resolve|--parser|-f|--format|--flag|--ext-|--env)/ }],
  ['prettier', { never: /^--(?:config|plugin|find-config)/ }],
  ['stylelint', { never: /^(?:--config|--custom|-f|--formatter|--plugin)/ }],
  ['webpack', webpack],
  ['vite', configured],
  ['rollup', { never: /^(?:-[cp]|--?config|--plugin)/ }],
  ['babel', { only: /^(?:-[dow]|--(?:out-dir|out-file|watch|extensions|ignore|verbose|quiet)(?:=.*)?)$/ }],
  ['postcss', { never: /^(?:-[ups]|--(?:use|parser|stringifier|syntax|config))/ }],
  ['browserify', { never: /^(?:-[tgpr]|--(?:transform|plugin|global|require))|^\[$/ }],
  ['lessc', { never: /^--(?:plugin|js)/ }],
  ['stylus', { never: /^(?:-u|--use)/ }],
  ['typedoc', { never: /^--(?:plugin|options|theme|tsconfig)/ }],
  ['protoc', { never: /^@|^--plugin|^--(?!cpp_|java_|python_|csharp_|ruby_|php_|objc_)\w+_(?:out|opt)/ }],
  ['tsup', { never: /^(?:-c|--?config|--plugin|--on)/ }],
  ['dpkg', { never: /^(?:-[A-Za-z]*[iA]|--(?:i|u|pre|post|status|log))/ }],
  ['apt', apt],
  ['apt-get', apt],
  ['apt-cache', apt],
  ['aptitude', apt],
  ['hg', { never: /^--(?:con|debugger|cwd|rep|ss|rem|to)|^-[A-Za-z]*[et]|^(?:alias|extdiff)/ }],
  ['svn', { never: /^--(?:config|diff|editor)/ }],
  ['ctags', { never: /^--(?:options|_)/ }],
  ['yq', { never: /^--security/ }],
  ['unzip', { never: /^-[A-Za-z]*:/ }],
]);
