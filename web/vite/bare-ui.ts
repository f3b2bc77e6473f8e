import { type Plugin } from 'vite'

const nothing = '\0nothing'

/** Parts of the libraries of the interface that are loaded with every button, and that this app never draws with. */
const unused = [
  // The theme turns ripples off.
  { part: './TouchRipple.mjs', of: '/@mui/material/ButtonBase/' },
  // Theme by a higher-order component.
  { part: '../_isolated-hnrs/', of: '/@emotion/react/' },
  { part: 'hoist-non-react-statics', of: '/@emotion/react/' },
]

/** Leaves these out. */
export function bareUi(): Plugin {
  return {
    name: 'bare-ui',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      return unused.some(({ part, of }) => source.includes(part) && importer.includes(of)) ? nothing : null
    },
    load: (id) => (id === nothing ? 'export default () => null' : null),
  }
}
