import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import type { ReactNode } from 'react'

interface Props {
  /** The accessible name, if it says more than the content. */
  name?: string
  isPressed: boolean
  isDisabled?: boolean
  /** Why the chip is disabled. */
  hint?: string | undefined
  onClick: () => void
  children: ReactNode
}

/** A button with two states that looks like a pill. A disabled one keeps the keyboard focus, so that its hint can be read. */
export function ToggleChip({ name, isPressed, isDisabled = false, hint, onClick, children }: Props) {
  return (
    <ButtonBase
      aria-label={name}
      aria-pressed={isPressed}
      aria-disabled={isDisabled}
      aria-description={hint}
      title={hint}
      onClick={onClick}
      sx={(theme) => ({
        display: 'inline-flex',
        gap: 0.75,
        maxWidth: '100%',
        minHeight: 44,
        px: { xs: 1.5, sm: 2 },
        borderRadius: 999,
        border: 1,
        borderColor: 'divider',
        typography: 'body2',
        fontWeight: 700,
        textAlign: 'start',
        transition: 'background-color 150ms ease-out',
        '&:hover': { borderColor: 'primary.main' },
        '&[aria-pressed="true"]': {
          bgcolor: 'primary.main',
          borderColor: 'primary.main',
          color: 'primary.contrastText',
        },
        '&[aria-disabled="true"]': { borderColor: 'divider', borderStyle: 'dashed', color: 'text.secondary' },
        '&:focus-visible': {
          outline: `3px solid ${(theme.vars ?? theme).palette.primary.main}`,
          outlineOffset: 2,
        },
      })}
    >
      {children}
    </ButtonBase>
  )
}

/** The content of the chip of a circle: "☕ Close friends 5". */
export function CircleLabel({ emoji, name, count }: { emoji: string | null; name: string; count: number }) {
  return (
    <>
      {emoji !== null && <span aria-hidden>{emoji}</span>}
      <Box component="bdi" sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {name}
      </Box>
      {/* Generated content: the number is in the accessible name of the chip with other words. */}
      <Box
        component="span"
        aria-hidden
        data-count={count}
        sx={{ fontVariantNumeric: 'tabular-nums', fontWeight: 500, '&::after': { content: 'attr(data-count)' } }}
      />
    </>
  )
}
