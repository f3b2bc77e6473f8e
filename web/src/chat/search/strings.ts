import { t } from '../../i18n/translate.ts'

export const searchStrings = {
  field: t('chat.search.field'),
  inChat: t('chat.search.inChat'),
  clear: t('chat.search.clear'),
  close: t('chat.search.close'),
  results: t('chat.search.results'),
  searching: t('chat.search.searching'),
  none: t('chat.search.none'),
  failed: t('chat.search.failed'),
  offline: t('chat.search.offline'),
  more: t('chat.search.more'),
  you: t('chat.search.you'),
  count: (count: number, hasMore: boolean) =>
    hasMore ? t('chat.search.moreThan', { count }) : t('chat.search.count', { count }),
} as const
