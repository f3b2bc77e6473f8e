import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { readingDirection } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { emojiName } from './emoji-names.ts'

interface Props {
  /** Opening moves the focus to the first emoji. */
  open: boolean
  emoji: readonly string[]
  ownEmoji: string | undefined
  /** Whether another emoji can be chosen. Removing one's own always can. */
  canAdd: boolean
  onChoose: (emoji: string) => void
  onMore: () => void
}

/** A row of emoji. The viewer's own one is marked, and choosing it again removes it. */
export function QuickReactions({ open, emoji, ownEmoji, canAdd, onChoose, onMore }: Props) {
  const row = useRef<HTMLDivElement>(null)
  const shown = ownEmoji === undefined || emoji.includes(ownEmoji) ? emoji : [...emoji, ownEmoji]

  // Also if it is opened again before it has closed.
  useEffect(() => {
    if (open) row.current?.querySelector('button')?.focus()
  }, [open])

  function handleKey(event: KeyboardEvent) {
    const key = pressedKey(event)
    const step = key === 'ArrowRight' ? readingDirection : key === 'ArrowLeft' ? -readingDirection : 0
    const buttons = [...(row.current?.querySelectorAll('button') ?? [])]
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]
    if (step === 0 || next === undefined) return
    event.preventDefault()
    next.focus()
  }

  return (
    <Box
      ref={row}
      role="group"
      aria-label={t('chat.reaction.quick')}
      onKeyDown={handleKey}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        p: 0.75,
        '& button': {
          display: 'grid',
          placeItems: 'center',
          width: 44,
          height: 44,
          p: 0,
          border: 0,
          borderRadius: '50%',
          bgcolor: 'transparent',
          color: 'text.primary',
          fontSize: '1.5rem',
          fontFamily: 'inherit',
          lineHeight: 1,
          cursor: 'pointer',
          '&:hover': { bgcolor: 'action.hover' },
          '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main', outlineOffset: -3 },
          '&[aria-pressed="true"]': { bgcolor: 'action.selected', boxShadow: 'inset 0 0 0 2px var(--own)' },
        },
        '--own': (theme) => theme.vars.palette.primary.main,
      }}
    >
      {shown.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={emojiName(one)}
          aria-pressed={one === ownEmoji}
          onClick={() => onChoose(one)}
        >
          {one}
        </button>
      ))}
      {canAdd && (
        <button type="button" aria-label={t('chat.reaction.more')} title={t('chat.reaction.more')} onClick={onMore}>
          <AddRounded />
        </button>
      )}
    </Box>
  )
}
