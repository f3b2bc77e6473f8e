import '@fontsource-variable/plus-jakarta-sans/wght.css'
import { createTheme } from '@mui/material/styles'
import { isRightToLeft } from '../../i18n/language.ts'

// The theme uses CSS variables. Without this declaration the type of `theme.vars` would be optional.
declare module '@mui/material/styles' {
  interface CssThemeVariables {
    enabled: true
  }
}

/** Also the colour of the browser's toolbars. */
export const paperColours = { light: '#FFFFFF', dark: '#171B25' } as const

/** What is chosen, pressed, switched on or current. */
const chosen = [
  '[aria-pressed="true"]',
  '[aria-selected="true"]',
  '[aria-current]:not([aria-current="false"])',
  '[role="radio"][aria-checked="true"]',
  '[role="menuitemradio"][aria-checked="true"]',
  '.Mui-selected',
  '.MuiAutocomplete-option.Mui-focused',
  // A pill around its radio button.
  'label:has(> :checked)',
].join()

/** Each colour has one meaning: primary is the user, secondary is friends, success is going, warning is maybe. */
export const theme = createTheme({
  direction: isRightToLeft ? 'rtl' : 'ltr',
  cssVariables: { colorSchemeSelector: 'data-color-scheme' },
  colorSchemes: {
    light: {
      palette: {
        primary: { main: '#2456E6', dark: '#1B43B8', light: '#5B82F0', contrastText: '#FFFFFF' },
        secondary: { main: '#E5484D', dark: '#C62A2F', light: '#F07C80', contrastText: '#1A0506' },
        error: { main: '#C62A2F', dark: '#A31F24', contrastText: '#FFFFFF' },
        success: { main: '#18794E', contrastText: '#FFFFFF' },
        warning: { main: '#8F5A00', contrastText: '#FFFFFF' },
        info: { main: '#2456E6', contrastText: '#FFFFFF' },
        background: { default: '#F6F7FA', paper: paperColours.light },
        text: { primary: '#141824', secondary: '#565D70' },
        divider: '#E2E5EC',
      },
    },
    dark: {
      palette: {
        primary: { main: '#8DABFF', dark: '#6C92FF', light: '#B5C8FF', contrastText: '#0A1330' },
        secondary: { main: '#FF8A8D', dark: '#E5484D', light: '#FFB0B2', contrastText: '#2B0708' },
        error: { main: '#FF9592', dark: '#E5686B', contrastText: '#2B0708' },
        success: { main: '#5BD197', contrastText: '#04180E' },
        warning: { main: '#F5BE58', contrastText: '#1F1400' },
        info: { main: '#8DABFF', contrastText: '#0A1330' },
        background: { default: '#0E1118', paper: paperColours.dark },
        text: { primary: '#F0F2F7', secondary: '#A6AEC0' },
        divider: '#2A3040',
      },
    },
  },
  shape: { borderRadius: 12 },
  typography: {
    fontFamily: '"Plus Jakarta Sans Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    h1: { fontSize: '2rem', fontWeight: 800, lineHeight: 1.15, letterSpacing: '-0.02em' },
    h2: { fontSize: '1.5rem', fontWeight: 800, lineHeight: 1.2, letterSpacing: '-0.015em' },
    h3: { fontSize: '1.25rem', fontWeight: 700, lineHeight: 1.3, letterSpacing: '-0.01em' },
    h6: { fontSize: '1.125rem', fontWeight: 700, lineHeight: 1.35 },
    subtitle1: { fontWeight: 600, lineHeight: 1.4 },
    body1: { fontSize: '1rem', lineHeight: 1.5 },
    body2: { fontSize: '0.875rem', lineHeight: 1.45 },
    button: { fontWeight: 700, textTransform: 'none', letterSpacing: 0 },
  },
  transitions: {
    duration: {
      shortest: 120,
      shorter: 150,
      short: 180,
      standard: 200,
      complex: 200,
      enteringScreen: 200,
      leavingScreen: 150,
    },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        // The insets that the phone covers. The packaged app sets them where its web view does not report them.
        ':root': {
          '--sat': 'var(--safe-area-inset-top, env(safe-area-inset-top, 0px))',
          '--sar': 'var(--safe-area-inset-right, env(safe-area-inset-right, 0px))',
          '--sab': 'var(--safe-area-inset-bottom, env(safe-area-inset-bottom, 0px))',
          '--sal': 'var(--safe-area-inset-left, env(safe-area-inset-left, 0px))',
        },
        html: { WebkitTextSizeAdjust: '100%' },
        // Words and addresses longer than their line are broken everywhere.
        body: {
          overscrollBehaviorY: 'none',
          fontVariantNumeric: 'tabular-nums',
          overflowWrap: 'break-word',
          // Long compounds, as in German, are divided between syllables where the browser knows them.
          hyphens: 'auto',
          hyphenateLimitChars: '16 6 6',
        },
        // The browser replaces all colors, so a state that only a color shows would be invisible.
        '@media (forced-colors: active)': {
          [chosen]: {
            forcedColorAdjust: 'none',
            backgroundColor: 'Highlight !important',
            borderColor: 'Highlight !important',
            color: 'HighlightText !important',
            '& :not(.MuiAvatar-root, .MuiAvatar-root *)': { color: 'inherit !important' },
          },
          '.MuiSwitch-track': { border: '1px solid ButtonText' },
          '.MuiSwitch-thumb': { forcedColorAdjust: 'none', backgroundColor: 'ButtonText' },
          '.Mui-checked .MuiSwitch-thumb': { backgroundColor: 'HighlightText' },
          '.MuiSwitch-switchBase.Mui-checked + .MuiSwitch-track': {
            forcedColorAdjust: 'none',
            opacity: '1 !important',
            backgroundColor: 'Highlight !important',
          },
        },
        // Elements may still appear and disappear, but nothing moves.
        '@media (prefers-reduced-motion: reduce)': {
          '*, *::before, *::after': {
            animationDuration: '1ms !important',
            animationIterationCount: '1 !important',
            transitionDuration: '0s !important',
            transitionDelay: '0ms !important',
            scrollBehavior: 'auto !important',
          },
        },
      },
    },
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: {
        root: ({ theme }) => ({
          '&.Mui-focusVisible': { outline: `3px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
        }),
      },
    },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: { borderRadius: 12, minHeight: 44, paddingInline: 20, transition: 'background-color 150ms ease-out' },
        sizeLarge: { minHeight: 52, fontSize: '1rem' },
        sizeSmall: { paddingInline: 14 },
      },
    },
    MuiIconButton: {
      styleOverrides: {
        root: ({ theme, ownerState }) => ({
          minWidth: 44,
          minHeight: 44,
          ...(ownerState.color === 'default' && { color: theme.vars.palette.text.secondary }),
        }),
      },
    },
    MuiFab: { styleOverrides: { root: { boxShadow: '0 6px 20px rgb(0 0 0 / 0.2)' }, extended: { borderRadius: 999 } } },
    MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiCard: {
      defaultProps: { variant: 'outlined' },
      styleOverrides: { root: { borderRadius: 16 } },
    },
    MuiDialog: {
      styleOverrides: {
        paper: ({ theme }) => ({
          borderRadius: 20,
          margin: 16,
          width: 'calc(100% - 32px)',
          border: `1px solid ${theme.vars.palette.divider}`,
        }),
        paperFullScreen: { borderRadius: 0, margin: 0, width: '100%', border: 0 },
      },
    },
    MuiDialogTitle: { styleOverrides: { root: { fontSize: '1.25rem', fontWeight: 800, padding: '24px 24px 8px' } } },
    MuiDialogActions: { styleOverrides: { root: { padding: '8px 24px 24px', gap: 8 } } },
    MuiOutlinedInput: { styleOverrides: { root: { borderRadius: 12 } } },
    MuiChip: { styleOverrides: { root: { borderRadius: 999, fontWeight: 600 } } },
    MuiAlert: {
      styleOverrides: {
        root: { borderRadius: 12, alignItems: 'center' },
        // White text passes 4.5:1 on these colours in both schemes. The tints that serve as text on dark would not.
        filled: {
          color: '#FFFFFF',
          '&.MuiAlert-colorError': { backgroundColor: '#C62A2F' },
          '&.MuiAlert-colorSuccess': { backgroundColor: '#18794E' },
        },
      },
    },
    MuiMenu: {
      styleOverrides: {
        paper: ({ theme }) => ({ borderRadius: 16, border: `1px solid ${theme.vars.palette.divider}` }),
      },
    },
    MuiMenuItem: { styleOverrides: { root: { minHeight: 48 } } },
    MuiTab: { styleOverrides: { root: { textTransform: 'none', fontWeight: 700, minHeight: 48 } } },
  },
})
