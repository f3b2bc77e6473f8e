import type { Banner } from '@hither/contract/banner.ts'
import { bannerLimits } from '@hither/contract/runtime/banner.ts'
import { cleanLine } from '@hither/contract/runtime/texts.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../api/api-error.ts'
import { serverNow, useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { bannerQuery } from '../../moderation/banner/banner.api.ts'
import { CountedField } from '../../ui/CountedField.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { shortTime } from '../../ui/format-time.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { hourOfDay, localInputOf, momentOfLocalInput } from '../../ui/local-input.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useRemoveBanner, useSetBanner } from '../admin.api.ts'

const dayMs = 86_400_000

/** Shows the banner of the server, or the form for a new one. */
export function BannerCard() {
  const { data: banner, isError, error, isFetching, refetch } = useQuery(bannerQuery())
  const nowMs = useServerNow(15_000)
  const [isChanging, setIsChanging] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  if (banner === undefined && !isError) return null
  const current = banner && Date.parse(banner.ends_at) > nowMs ? banner : null

  // The button that was pressed is gone.
  function handleDone() {
    setIsChanging(false)
    heading.current?.focus()
  }

  return (
    <Box component="section" aria-labelledby={id}>
      <Typography ref={heading} tabIndex={-1} id={id} component="h2" variant="h6" sx={{ mb: 1.5, outline: 'none' }}>
        {t('admin.banner.title')}
      </Typography>
      <Card sx={{ p: 2 }}>
        <Typography color="textSecondary" sx={{ mb: 2 }}>
          {t('admin.banner.everyone')}
        </Typography>
        {banner === undefined && (
          <ErrorAlert
            message={messageOf(error, t('moderation.loadFailed'))}
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        )}
        {banner !== undefined && (current === null || isChanging) && (
          <BannerForm before={current} onDone={handleDone} />
        )}
        {current && !isChanging && (
          <CurrentBanner banner={current} nowMs={nowMs} onChange={() => setIsChanging(true)} onDone={handleDone} />
        )}
      </Card>
    </Box>
  )
}

interface CurrentProps {
  banner: Banner
  nowMs: number
  onChange: () => void
  onDone: () => void
}

function CurrentBanner({ banner: { text, ends_at }, nowMs, onChange, onDone }: CurrentProps) {
  const queryClient = useQueryClient()
  const removal = useRemoveBanner()

  async function handleRemove() {
    try {
      await removal.mutateAsync(undefined)
    } catch {
      // The card shows the error of the mutation.
      return
    }
    queryClient.setQueryData(bannerQuery().queryKey, null)
    onDone()
  }

  return (
    <>
      <Typography dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        {text}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
        {t('admin.banner.ends', { time: shortTime(ends_at, nowMs) })}
      </Typography>
      {removal.isError && (
        <Box sx={{ mt: 2 }}>
          <ErrorAlert message={messageOf(removal.error, t('moderation.actionFailed'))} />
        </Box>
      )}
      <Stack direction="row" spacing={1} sx={{ mt: 2 }}>
        <Button variant="outlined" size="small" onClick={onChange}>
          {t('admin.banner.change')}
        </Button>
        <LoadingButton variant="outlined" size="small" isWorking={removal.isPending} onClick={handleRemove}>
          {t('admin.banner.remove')}
        </LoadingButton>
      </Stack>
    </>
  )
}

/** The server checks both fields. */
function BannerForm({ before, onDone }: { before: Banner | null; onDone: () => void }) {
  const queryClient = useQueryClient()
  const saving = useSetBanner()
  const [text, setText] = useState(before?.text ?? '')
  const [until, setUntil] = useState(() => localInputOf(before ? Date.parse(before.ends_at) : tomorrow()))
  const refused = saving.error instanceof ApiError ? saving.error.fieldErrors : []
  const errorOf = (field: string) => refused.find(({ loc }) => loc.at(-1) === field)?.msg
  const [nowMs] = useState(serverNow)

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending) return
    const untilMs = momentOfLocalInput(until)
    const ends_at = Number.isNaN(untilMs) ? '' : new Date(untilMs).toISOString()
    try {
      const banner = await saving.mutateAsync({ text: cleanLine(text), ends_at })
      queryClient.setQueryData(bannerQuery().queryKey, banner)
    } catch {
      // The form shows the error of the mutation.
      return
    }
    onDone()
  }

  return (
    <Stack component="form" noValidate onSubmit={handleSubmit} spacing={2}>
      <CountedField
        label={t('admin.banner.text')}
        value={text}
        max={bannerLimits.textMax}
        error={errorOf('text')}
        autoFocus={before !== null}
        isLong
        onChange={setText}
      />
      <TextField
        type="datetime-local"
        label={t('admin.banner.until')}
        value={until}
        onChange={(event) => setUntil(event.target.value)}
        error={errorOf('ends_at') !== undefined}
        helperText={errorOf('ends_at')}
        fullWidth
        slotProps={{
          inputLabel: { shrink: true },
          htmlInput: { min: localInputOf(nowMs), max: localInputOf(nowMs + bannerLimits.daysMax * dayMs) },
        }}
      />
      {saving.isError && refused.length === 0 && (
        <ErrorAlert message={messageOf(saving.error, t('moderation.actionFailed'))} />
      )}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        {before && <Button onClick={onDone}>{t('ui.cancel')}</Button>}
        <LoadingButton type="submit" variant="contained" isWorking={saving.isPending}>
          {t('admin.banner.show')}
        </LoadingButton>
      </Stack>
    </Stack>
  )
}

/** The same hour of the next day. */
function tomorrow(): number {
  const nowMs = serverNow()
  return hourOfDay(nowMs, 1, new Date(nowMs).getHours())
}
