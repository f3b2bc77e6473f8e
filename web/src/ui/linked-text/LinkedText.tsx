import Box from '@mui/material/Box'
import { useMemo } from 'react'
import { partsOf } from './linked-text.ts'

/** Renders a text of a user with links. It is never rendered as markup. */
export function LinkedText({ content }: { content: string }) {
  const parts = useMemo(() => partsOf(content), [content])
  return (
    // The direction is that of the text, not of the screen.
    <bdi>
      {parts.map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
            key={index}
            component="a"
            href={part.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            onClick={(event) => event.stopPropagation()}
            sx={{ color: 'inherit', fontWeight: 600, textUnderlineOffset: '2px' }}
          >
            {part.text}
          </Box>
        ),
      )}
    </bdi>
  )
}
